import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** The user that runs PostgreSQL. PostgreSQL refuses to run as root, so root starts it as another user. */
export interface ServerAccount {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

// `nobody` exists on every Unix. `postgres` is better where it exists, since nothing else runs as it.
const candidates = ['postgres', 'nobody', 'daemon'];

/** Undefined: the current user. An existing cluster keeps its owner, else PostgreSQL would refuse its files. */
export function findServerAccount(clusterDir: string): ServerAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = ownerOf(clusterDir);
  if (owner) return owner;
  for (const name of candidates) {
    const account = lookUp(name);
    if (account) return account;
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root, and this machine has none of the users ${candidates.join(', ')}; start as another user`,
  );
}

/** Whether the account may enter the folder. The kernel decides: modes, ACLs and mounts all count. */
export function canEnter(account: ServerAccount, folder: string): boolean {
  return runsAs(account, 'cd -- "$1"', folder);
}

/** How to spawn the server's programs: as its account, in a folder that it can enter, with none of our secrets. */
export function spawnOptions(account: ServerAccount | undefined) {
  const identity = account ? { uid: account.uid, gid: account.gid } : {};
  return { ...identity, cwd: '/', env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' } };
}

export function runsAs(account: ServerAccount, script: string, argument: string): boolean {
  const { uid, gid } = account;
  const result = spawnSync('/bin/sh', ['-c', script, 'sh', argument], { uid, gid, cwd: '/', stdio: 'ignore' });
  return result.status === 0;
}

function ownerOf(clusterDir: string): ServerAccount | undefined {
  const stats = statSync(clusterDir, { throwIfNoEntry: false });
  if (!stats || stats.uid === 0) return undefined;
  return { name: `uid ${stats.uid}`, uid: stats.uid, gid: stats.gid };
}

function lookUp(name: string): ServerAccount | undefined {
  try {
    return { name, uid: idOf('-u', name), gid: idOf('-g', name) };
  } catch {
    return undefined; // no such user here
  }
}

function idOf(flag: '-u' | '-g', name: string): number {
  return Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
}
