import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { spawnOptions, type ServerAccount } from './server-account.ts';
import { locateServerBinaries, reachableBinaries } from './server-binaries.ts';

/** Embedded programs have it, and all that may take their place: a data folder opens with no other. */
export const majorVersion = '18';

export interface ServerPrograms {
  /** The folder of `postgres` and `initdb`. */
  readonly bin: string;
  /** The version, and where it comes from, for people: `18.4 (embedded)`. */
  readonly description: string;
}

export interface ProgramsChoice {
  /** The folder of POSTGRES_BIN. Undefined: the embedded programs. */
  readonly named: string | undefined;
  /** The folder of the embedded programs, if it is not the installed package's. */
  readonly native: string | undefined;
}

/** Finds programs that suit, and that the account can run. Throws `EmbeddedPostgresError` if there are none. */
export function findServerPrograms(
  { named, native }: ProgramsChoice,
  account: ServerAccount | undefined,
): ServerPrograms {
  if (named !== undefined) return namedPrograms(resolve(named), account);
  const bin = join(reachableBinaries(native ?? locateServerBinaries(), account), 'bin');
  return { bin, description: `${readVersion(bin, account)} (embedded)` };
}

function namedPrograms(bin: string, account: ServerAccount | undefined): ServerPrograms {
  for (const name of ['postgres', 'initdb']) if (!existsSync(join(bin, name))) throw unsuitable(bin, `has no ${name}`);
  const version = readVersion(bin, account);
  if (Number.parseInt(version, 10) !== Number(majorVersion)) throw unsuitable(bin, `has PostgreSQL ${version}`);
  return { bin, description: `${version} (POSTGRES_BIN=${bin})` };
}

function unsuitable(bin: string, reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `POSTGRES_BIN=${bin} ${reason}; name a folder with \`postgres\` and \`initdb\` of PostgreSQL ${majorVersion}, or leave it out: then the embedded one runs`,
  );
}

function readVersion(bin: string, account: ServerAccount | undefined): string {
  const program = join(bin, 'postgres');
  const outcome = spawnSync(program, ['--version'], { ...spawnOptions(account), encoding: 'utf8' });
  const version = /\(PostgreSQL\) (\d\S*)/.exec(outcome.stdout ?? '')?.[1];
  if (version !== undefined) return version;
  const user = account === undefined ? 'this user' : `the user ${account.name}`;
  throw new EmbeddedPostgresError(`${program} cannot be run by ${user}: ${reasonOf(outcome)}`);
}

function reasonOf({ stdout, stderr, error }: SpawnSyncReturns<string>): string {
  if (error === undefined) return `it says "${(stderr || stdout).trim()}"`;
  if ('code' in error && error.code === 'EACCES')
    return 'let others pass through the folders above it, and read and run what is in them (chmod o+rx)';
  return error.message;
}
