import { configSchema } from '@tollgate/auth/config';
import { setPassword } from '@tollgate/auth/operator';
import { systemClock } from '@tollgate/kernel/clock';
import { loadConfig } from '@tollgate/runtime/config/load-config';

import { withDatabase, type DatabaseChoice } from './open-database.ts';
import { readPassword } from './read-password.ts';

/** `tollgate operator account set-password <email>`: for a forgotten or stolen password. All sessions of the account end, and its API keys. */
export async function setAccountPassword(
  { email, keepsApiKeys }: { readonly email: string; readonly keepsApiKeys: boolean },
  choice: DatabaseChoice,
): Promise<string> {
  const password = await readPassword(`New password of ${email}: `);
  return withDatabase(choice, async ({ urlFor }) => {
    const config = loadConfig(configSchema, {
      ...choice.environment,
      DATABASE_API_URL: urlFor('auth_api'),
      DATABASE_WORKER_URL: urlFor('auth_worker'),
      AUTH_KEY_ENCRYPTION_SECRET: 'this command neither encrypts nor signs',
    });
    const wish = { email: email.trim().toLowerCase(), password, revokesApiKeys: !keepsApiKeys };
    await setPassword(config, { clock: systemClock, log: choice.log }, wish);
    const ended = keepsApiKeys ? 'its sessions have ended' : 'its sessions and API keys have ended';
    return `The password of ${email} is set; ${ended}.`;
  });
}
