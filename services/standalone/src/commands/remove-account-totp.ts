import { configSchema } from '@tollgate/auth/config';
import { removeTotp } from '@tollgate/auth/operator';
import { systemClock } from '@tollgate/kernel/clock';
import { loadConfig } from '@tollgate/runtime/config/load-config';

import { withDatabase, type DatabaseChoice } from './open-database.ts';

/** `tollgate operator account remove-totp <email>`: for a lost device without recovery codes. All sessions of the account end. */
export async function removeAccountTotp(email: string, choice: DatabaseChoice): Promise<string> {
  return withDatabase(choice, async ({ urlFor }) => {
    const config = loadConfig(configSchema, {
      ...choice.environment,
      DATABASE_API_URL: urlFor('auth_api'),
      DATABASE_WORKER_URL: urlFor('auth_worker'),
      AUTH_KEY_ENCRYPTION_SECRET: 'this command neither encrypts nor signs',
    });
    await removeTotp(config, { clock: systemClock, log: choice.log }, email.trim().toLowerCase());
    return `${email} signs in with the password alone; its sessions have ended.`;
  });
}
