import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { runsAs, type ServerAccount } from './server-account.ts';
import { sharedFolder } from './shared-folder.ts';

/** The folder with PostgreSQL's `bin`, `lib` and `share` in the npm package of this platform. Images do not have it. */
export function locateServerBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch (error) {
    throw new EmbeddedPostgresError(
      `there is no embedded PostgreSQL here: ${name} is not installed, and images leave it out. Name a server's database in DATABASE_URL for a command. To run all of Tollgate in one process, use the sources (npx -y pnpm@10 start), the package (npx tollgate start) or the image tollgate/tollgate`,
      { cause: error },
    );
  }
}

/**
 * A folder with the binaries in which the account can run them. Often it cannot reach the clone: if root starts a clone
 * under a 0700 home, `initdb` dies with a spawn error. Then the binaries are copied: 59 MB, 0.2 s, once per version.
 */
export function reachableBinaries(native: string, account: ServerAccount | undefined): string {
  if (!account || areUsable(native, account)) return native;
  const copy = join(sharedFolder, `postgresql-${versionOf(native)}`);
  if (!existsSync(copy)) copyFor(native, copy);
  if (areUsable(copy, account)) return copy;
  throw new EmbeddedPostgresError(
    `PostgreSQL cannot be run by the user ${account.name}, neither from ${native} nor from ${copy}`,
  );
}

function areUsable(native: string, account: ServerAccount): boolean {
  return runsAs(
    account,
    '"$1/bin/postgres" --version && test -x "$1/bin/initdb" && test -r "$1/share/postgresql/postgres.bki"',
    native,
  );
}

function versionOf(native: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8'));
  if (typeof manifest === 'object' && manifest && 'version' in manifest) return String(manifest.version);
  throw new EmbeddedPostgresError(`${native} does not belong to a package with a version`);
}

function copyFor(native: string, copy: string): void {
  const partial = `${copy}.partial-${process.pid}`;
  try {
    mkdirSync(dirname(copy), { recursive: true });
    chmodSync(dirname(copy), 0o755);
    cpSync(native, partial, { recursive: true, verbatimSymlinks: true });
    openForAll(partial);
    renameSync(partial, copy);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (existsSync(copy)) return; // another Tollgate was faster
    throw new EmbeddedPostgresError(`PostgreSQL's binaries cannot be copied to ${copy}: ${String(error)}`, {
      cause: error,
    });
  }
}

/** The copies have the modes of the package store, which root's umask may have closed to others. */
function openForAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openForAll(path);
    else if (entry.isFile()) chmodSync(path, folder.endsWith('bin') ? 0o755 : 0o644);
  }
}
