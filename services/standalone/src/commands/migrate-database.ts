import { setKeyPartitions } from '@tollgate/database/key-partitions';
import { migrate, serviceRoles, type ServiceRole } from '@tollgate/database/migrate';

import { ConfigError } from '@tollgate/runtime/config/config-error';
import { findTrialOnly } from '@tollgate/runtime/config/trial-only';
import { CommandError } from './command-error.ts';
import { serverUrlOf, withDatabase, type DatabaseChoice } from './open-database.ts';

/**
 * `tollgate operator migrate`. On a server (DATABASE_URL) it also sets the passwords of the services' roles, from the environment.
 * In a data folder the roles have passwords of their own.
 */
export async function migrateDatabase(choice: DatabaseChoice, keyPartitions?: string): Promise<string> {
  const done = await applyMigrations(choice);
  if (keyPartitions === undefined) return done;
  const count = Number(keyPartitions);
  if (!Number.isInteger(count)) throw new CommandError(`--key-partitions takes a number, not ${keyPartitions}`);
  await withDatabase(choice, ({ ownerUrl }) => setKeyPartitions(ownerUrl, count));
  return `${done} The table of keys has ${count} partitions.`;
}

async function applyMigrations(choice: DatabaseChoice): Promise<string> {
  const url = serverUrlOf(choice);
  if (url === undefined) {
    await withDatabase(choice, async () => undefined); // opening a data folder migrates it
    return 'The database is up to date.';
  }
  const passwords = readRolePasswords(choice);
  const { applied } = await migrate({ ownerUrl: url, rolePasswords: (role) => passwords[role], log: choice.log });
  return applied.length === 0 ? 'The database was up to date.' : `Applied ${applied.join(', ')}.`;
}

/** The role auth_api has its password in `AUTH_API_PASSWORD`, and so on. */
function readRolePasswords({ environment }: DatabaseChoice): Record<ServiceRole, string> {
  const named = serviceRoles.map((role) => ({ role, name: `${role.toUpperCase()}_PASSWORD` }));
  const missing = named.filter(({ name }) => !environment[name]);
  if (missing.length > 0) {
    throw new CommandError(
      `with DATABASE_URL, the passwords of the services' roles are needed too: ${missing.map(({ name }) => name).join(', ')}`,
    );
  }
  const passwords = Object.fromEntries(named.map(({ name }) => [name, environment[name] ?? '']));
  const published = findTrialOnly(passwords, () => false, environment);
  if (published.length > 0) throw new ConfigError(published);
  return Object.fromEntries(named.map(({ role, name }) => [role, passwords[name]])) as Record<ServiceRole, string>; // every role has a value
}
