import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildCliImage } from './build-cli-image.ts';
import { nextRelease } from './next-release.ts';
import { npm, packPackage } from './pack-package.ts';
import { packWheel, problemsOfWheel } from './pack-wheel.ts';
import { problemsOfTarball } from './problems-of-tarball.ts';
import { publishedFolders, readManifest, repository } from './workspace-packages.ts';

/** `pnpm release --dry-run`: packs what a registry would get, and checks it. Nothing is published from here. */
if (!process.argv.includes('--dry-run')) {
  process.stderr.write('pnpm release needs --dry-run: a release is published by a workflow, never from here.\n');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'release-'));
try {
  const problems = publishedFolders().flatMap((path) => {
    const tarball = packPackage(path, folder);
    npm(folder, ['publish', '--dry-run', '--ignore-scripts', tarball]);
    console.log(`${basename(tarball)}: ${Math.ceil(statSync(tarball).size / 1024)} KiB`);
    return problemsOfTarball(tarball, readManifest(join(repository, path)).version);
  });
  const wheel = packWheel(folder);
  console.log(`${basename(wheel)}: ${Math.ceil(statSync(wheel).size / 1024)} KiB`);
  problems.push(...problemsOfWheel(wheel));
  const image = buildCliImage();
  problems.push(...image.problems);
  const next = nextRelease(folder);
  if (next.length === 0) console.log('no changeset waits for a published package: this version is the next release');
  for (const { name, version, changes } of next) console.log(`${name} ${version} is next:\n${changes}\n`);
  console.log(image.line);
  for (const problem of problems) console.error(problem);
  console.log(problems.length === 0 ? 'no problem was found; nothing was published' : `${problems.length} problems`);
  process.exitCode = problems.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
