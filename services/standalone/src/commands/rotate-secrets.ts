import { configSchema, type Config } from '@tollgate/auth/config';
import { rotateOperatorToken, rotateSigningKey } from '@tollgate/auth/operator';
import { chooseDataFolder } from '@tollgate/database/embedded/choose-data-folder';
import { systemClock } from '@tollgate/kernel/clock';
import { loadConfig } from '@tollgate/runtime/config/load-config';

import { openDataSecret } from '../data-secret.ts';
import { serverUrlOf, withDatabase, type CommandDatabase, type DatabaseChoice } from './open-database.ts';

/** `tollgate signing-key rotate [--revoke-now]`: for a leaked key, or for a lost AUTH_KEY_ENCRYPTION_SECRET. */
export async function rotateKey(
  { revokeNow }: { readonly revokeNow: boolean },
  choice: DatabaseChoice,
): Promise<string> {
  return withDatabase(choice, async (database) => {
    const config = configOf(database, choice, secretOf(choice));
    const deps = { clock: systemClock, log: choice.log };
    const keyId = await rotateSigningKey(config, deps, { revokesEarlier: revokeNow });
    const earlier = revokeNow ? 'refused within a second: everybody signs in again' : 'good until they expire';
    return `The signing key is ${keyId}. Tokens of earlier keys are ${earlier}.`;
  });
}

/** `tollgate operator-token rotate`: for a leaked token. */
export async function rotateToken(choice: DatabaseChoice): Promise<string> {
  return withDatabase(choice, async (database) => {
    const config = configOf(database, choice, 'this command neither encrypts nor signs');
    const token = await rotateOperatorToken(config, { clock: systemClock, log: choice.log });
    return `The operator's token is ${token}\nIt is shown only here. The earlier token, also OPERATOR_TOKEN, is refused within a second.`;
  });
}

function configOf({ urlFor }: CommandDatabase, { environment }: DatabaseChoice, secret: string | undefined): Config {
  return loadConfig(configSchema, {
    ...environment,
    DATABASE_API_URL: urlFor('auth_api'),
    DATABASE_WORKER_URL: urlFor('auth_worker'),
    AUTH_KEY_ENCRYPTION_SECRET: secret,
  });
}

/** As the services have it: from the environment, or else from the data folder. A server has no data folder. */
function secretOf(choice: DatabaseChoice): string | undefined {
  const given = choice.environment['AUTH_KEY_ENCRYPTION_SECRET'];
  if (given || serverUrlOf(choice) !== undefined) return given;
  return openDataSecret(
    chooseDataFolder(choice.data ?? (choice.environment['DATA_DIR'] || undefined), '.tollgate'),
    'auth',
  );
}
