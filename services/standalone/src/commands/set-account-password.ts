import { configSchema } from '@tollgate/auth/config';
import { setPassword } from '@tollgate/auth/operator';
import { systemClock } from '@tollgate/kernel/clock';
import { loadConfig } from '@tollgate/runtime/config/load-config';

import { openDatabase, type DatabaseChoice } from './open-database.ts';
import { readPassword } from './read-password.ts';

/** `tollgate account set-password <email>`: for who forgot theirs. All sessions of the account end. */
export async function setAccountPassword(email: string, choice: DatabaseChoice): Promise<string> {
  const password = await readPassword(`New password of ${email}: `);
  const database = await openDatabase(choice);
  try {
    const config = loadConfig(configSchema, {
      ...choice.environment,
      DATABASE_API_URL: database.urlFor('auth_api'),
      DATABASE_WORKER_URL: database.urlFor('auth_worker'),
      AUTH_KEY_ENCRYPTION_SECRET: 'not used here: this command seals and signs nothing',
    });
    await setPassword(config, { clock: systemClock, log: choice.log }, { email: email.trim().toLowerCase(), password });
    return `The password of ${email} is set; its sessions have ended.`;
  } finally {
    await database.close();
  }
}
