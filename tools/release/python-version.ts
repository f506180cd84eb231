import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from './workspace-packages.ts';

const project = 'clients/python/pyproject.toml';
const module = 'clients/python/src/tollgate/_version.py';
const changelog = 'clients/python/CHANGELOG.md';

/** Gives the client for Python the version of the npm packages: changesets know npm alone. `root`: of a checkout. */
export function writePythonVersion(root: string): void {
  const { version } = readManifest(join(root, 'packages/sdk'));
  const rewrite = (path: string, change: (text: string) => string): void =>
    writeFileSync(join(root, path), change(readFileSync(join(root, path), 'utf8')));
  rewrite(project, (text) => text.replace(/^version = ".*"$/m, `version = "${version}"`));
  rewrite(module, (text) => text.replace(/^VERSION = ".*"$/m, `VERSION = "${version}"`));
  const news = `# Changes\n\n## ${version}\n\n- Released with the packages for JavaScript, whose version it has.\n`;
  rewrite(changelog, (text) => (text.includes(`## ${version}\n`) ? text : text.replace(/^# Changes\n/, news)));
}
