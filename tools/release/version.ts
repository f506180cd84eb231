import { applyChangesets } from './next-release.ts';
import { repository } from './workspace-packages.ts';

/** `pnpm release:version`: applies the changesets to this checkout, for npm and for Python. Commit what it changed. */
const released = applyChangesets(repository);
if (released.length === 0) console.log('no changeset waits for a published package');
for (const { name, version } of released) console.log(`${name} ${version}`);
