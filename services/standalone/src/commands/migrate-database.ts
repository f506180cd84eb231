import { migrate, serviceRoles, type ServiceRole } from '@tollgate/database/migrate';

import { CommandError } from './command-error.ts';
import { openDatabase, type DatabaseChoice } from './open-database.ts';

/**
 * `tollgate migrate`. On a server of one's own (DATABASE_URL) the services' roles get the passwords that the environment
 * names; in a data folder they have their own.
 */
export async function migrateDatabase(choice: DatabaseChoice): Promise<string> {
  const url = choice.data === undefined ? choice.environment['DATABASE_URL'] : undefined;
  if (!url) {
    await (await openDatabase(choice)).close(); // opening brings it up to date
    return 'The database is up to date.';
  }
  const passwords = readRolePasswords(choice);
  const { applied } = await migrate({ ownerUrl: url, rolePasswords: (role) => passwords[role], log: choice.log });
  return applied.length === 0 ? 'The database was up to date.' : `Applied ${applied.join(', ')}.`;
}

/** `AUTH_API_PASSWORD` for the role auth_api, and so on. */
function readRolePasswords({ environment }: DatabaseChoice): Record<ServiceRole, string> {
  const named = serviceRoles.map((role) => ({ role, name: `${role.toUpperCase()}_PASSWORD` }));
  const missing = named.filter(({ name }) => !environment[name]);
  if (missing.length > 0) {
    throw new CommandError(
      `with DATABASE_URL, the passwords of the services' roles are needed too: ${missing.map(({ name }) => name).join(', ')}`,
    );
  }
  return Object.fromEntries(named.map(({ role, name }) => [role, environment[name]])) as Record<ServiceRole, string>; // one for each role
}
