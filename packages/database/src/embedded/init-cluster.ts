import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { RolePassword } from './cluster-secret.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { DataFolder } from './open-data-folder.ts';
import { spawnOptions, type ServerAccount } from './server-account.ts';
import { majorVersion, type ServerPrograms } from './server-programs.ts';

export interface ClusterPlan {
  readonly folder: DataFolder;
  readonly account: ServerAccount | undefined;
  readonly programs: ServerPrograms;
  readonly rolePassword: RolePassword;
  readonly isDurable: boolean;
}

/**
 * Creates the cluster if there is none. It is created beside its place and then renamed, so after a kill the cluster is
 * whole or absent.
 */
export async function initCluster(plan: ClusterPlan): Promise<void> {
  const { folder, account } = plan;
  if (existsSync(folder.clusterDir)) return assertVersion(folder);
  const partial = `${folder.clusterDir}.partial`;
  const passwordFile = `${folder.clusterDir}.password`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  chmodSync(partial, 0o700);
  writeFileSync(passwordFile, plan.rolePassword('postgres'), { mode: 0o600 });
  if (account) for (const path of [partial, passwordFile]) chownSync(path, account.uid, account.gid);
  try {
    await runInitdb(plan, partial, passwordFile);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(partial, folder.clusterDir);
}

function assertVersion(folder: DataFolder): void {
  const found = readFileSync(join(folder.clusterDir, 'PG_VERSION'), 'utf8').trim();
  if (found === majorVersion) return;
  throw new EmbeddedPostgresError(
    `${folder.clusterDir} was made by PostgreSQL ${found}, and this release runs ${majorVersion}`,
  );
}

async function runInitdb(plan: ClusterPlan, dir: string, passwordFile: string): Promise<void> {
  const args = ['-D', dir, '-U', 'postgres', '--pwfile', passwordFile, '--auth', 'scram-sha-256', '--encoding', 'UTF8'];
  // The builtin locale sorts alike on every machine; the C library's order depends on its version.
  args.push('--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--no-instructions');
  if (!plan.isDurable) args.push('--no-sync');
  try {
    await promisify(execFile)(join(plan.programs.bin, 'initdb'), args, spawnOptions(plan.account));
  } catch (error) {
    const output = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr).trim() : '';
    const lastLine = output.split('\n').findLast((line) => line.includes('error:')) ?? output;
    throw new EmbeddedPostgresError(`initdb failed for ${plan.folder.path}: ${lastLine || String(error)}`, {
      cause: error,
    });
  }
}
