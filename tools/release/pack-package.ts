import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { stagePackage } from './stage-package.ts';
import { repository } from './workspace-packages.ts';

/** Packs a built package and returns the path of its tarball. */
export function packPackage(folder: string, into: string): string {
  const staged = join(into, folder.replaceAll('/', '-'));
  stagePackage(folder, staged);
  const output = npm(staged, ['pack', '--json', '--pack-destination', into]);
  const [{ filename = '' } = {}] = JSON.parse(output) as { filename?: string }[];
  return join(into, filename);
}

/** Runs npm as a stranger does: pnpm's settings, which its scripts hand on, mean nothing to it. */
export function npm(folder: string, args: readonly string[]): string {
  const { PATH, HOME } = process.env;
  return execFileSync('npm', args, { cwd: folder, encoding: 'utf8', env: { PATH, HOME }, maxBuffer: 64 * 1024 * 1024 });
}

/** Builds a package, and those that it needs, with the compiler of the workspace. */
export function buildPackage(folder: string): void {
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-b', join(repository, folder, 'tsconfig.build.json')], {
    stdio: 'inherit',
  });
}
