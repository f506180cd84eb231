import type { RolePassword } from './cluster-secret.ts';

export interface ConnectionUrls {
  /** Role tollgate_owner, database tollgate: only for the migrator. */
  readonly ownerUrl: string;
  urlFor(role: string): string;
  rolePassword(role: string): string;
}

export const ownerRole = 'tollgate_owner';
export const databaseName = 'tollgate';

export function createConnectionUrls(port: number, rolePassword: RolePassword): ConnectionUrls {
  const urlFor = (role: string) =>
    `postgresql://${encodeURIComponent(role)}:${rolePassword(role)}@127.0.0.1:${port}/${databaseName}`;
  return { ownerUrl: urlFor(ownerRole), urlFor, rolePassword };
}
