import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { locateServerBinaries } from '@tollgate/database/embedded/server-binaries';
import { rounded } from '../statistics.ts';

export interface MachineDescription {
  readonly commit: string;
  readonly machine: Readonly<Record<string, string | number | undefined>>;
  readonly versions: Readonly<Record<string, string>>;
}

/** A commit with changes beside it ends in `-dirty`: its figures belong to no commit. */
export async function describeMachine(root: string): Promise<MachineDescription> {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const postgres = execFileSync(join(locateServerBinaries(), 'bin/postgres'), ['--version'], { encoding: 'utf8' });
  return {
    commit: describeCommit(root),
    machine: {
      cpu: cpus()[0]?.model,
      cores: cpus().length,
      memoryGiB: rounded(totalmem() / 2 ** 30),
      platform: process.platform,
    },
    versions: {
      tollgate: manifest.version,
      node: process.version,
      postgres: /[\d.]+\S*/.exec(postgres)?.[0] ?? postgres.trim(),
    },
  };
}

/** Results and their table are no change of what they measure. */
function describeCommit(root: string): string {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', '--', '.', ':!bench/results', ':!bench/README.md');
  return `${git('rev-parse', '--short', 'HEAD')}${changed === '' ? '' : '-dirty'}`;
}
