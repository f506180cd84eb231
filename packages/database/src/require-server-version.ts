import { MigrationRefusal } from './migration-refusal.ts';

/** In the number of `server_version_num`. Older ones lack what statements of billing ask, and tests run on this one alone. */
const versionMin = 180_000;

/** Throws what to do if the server is older than Tollgate can run on. Takes `server_version_num`, such as 180004. */
export function requireServerVersion(version: number): void {
  if (version >= versionMin) return;
  const [has, wanted] = [version, versionMin].map((number) => Math.floor(number / 10_000));
  throw new MigrationRefusal(
    `The database server is PostgreSQL ${has}, and Tollgate needs PostgreSQL ${wanted} or newer. Nothing was changed. Name a newer server.`,
  );
}
