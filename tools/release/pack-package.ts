import { execFileSync } from 'node:child_process';
import { delimiter, join, sep } from 'node:path';
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

const npmLimitMs = 300_000;

/** Runs npm as a stranger does. */
export function npm(folder: string, args: readonly string[]): string {
  return execFileSync('npm', [...args, '--fetch-retries=1'], {
    cwd: folder,
    encoding: 'utf8',
    env: strangersEnvironment(),
    maxBuffer: 64 * 1024 * 1024,
    timeout: npmLimitMs,
  });
}

/**
 * The environment of a stranger's shell. The settings of pnpm and the program of Node that the lockfile has mean nothing
 * to it: npm takes the settings of a machine, such as its certificates, from beside the machine's own Node.
 */
export function strangersEnvironment(): { PATH: string; HOME?: string; NODE_EXTRA_CA_CERTS?: string } {
  const { PATH = '', HOME, NODE_EXTRA_CA_CERTS } = process.env;
  const own = PATH.split(delimiter).filter((entry) => !entry.split(sep).includes('node_modules'));
  return {
    PATH: own.join(delimiter),
    ...(HOME !== undefined && { HOME }),
    ...(NODE_EXTRA_CA_CERTS !== undefined && { NODE_EXTRA_CA_CERTS }),
  };
}

/** Builds a package, and those that it needs, with the compiler of the workspace. */
export function buildPackage(folder: string): void {
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-b', join(repository, folder, 'tsconfig.build.json')], {
    stdio: 'inherit',
  });
}
