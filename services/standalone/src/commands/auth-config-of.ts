import { configSchema, type Config } from '@tollgate/auth/config';
import { chooseDataFolder } from '@tollgate/database/embedded/choose-data-folder';
import { loadConfig } from '@tollgate/runtime/config/load-config';

import { openDataSecret } from '../data-secret.ts';
import { serverUrlOf, type CommandDatabase, type DatabaseChoice } from './open-database.ts';

/** For a command that neither encrypts nor signs: auth's settings need a secret all the same. */
export const unusedSecret = 'this command neither encrypts nor signs';

/** The settings of auth for a command, which works on a database of its own choice. */
export function authConfigOf(
  { urlFor }: CommandDatabase,
  { environment }: DatabaseChoice,
  secret: string | undefined,
): Config {
  return loadConfig(configSchema, {
    ...environment,
    DATABASE_API_URL: urlFor('auth_api'),
    DATABASE_WORKER_URL: urlFor('auth_worker'),
    AUTH_KEY_ENCRYPTION_SECRET: secret,
  });
}

/** As the services have it: from the environment, or else from the data folder. A server has no data folder. */
export function secretOf(choice: DatabaseChoice): string | undefined {
  const given = choice.environment['AUTH_KEY_ENCRYPTION_SECRET'];
  if (given || serverUrlOf(choice) !== undefined) return given;
  return openDataSecret(
    chooseDataFolder(choice.data ?? (choice.environment['DATA_DIR'] || undefined), '.tollgate'),
    'auth',
  );
}
