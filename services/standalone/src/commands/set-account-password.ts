import { setPassword } from '@tollgate/auth/operator';
import { systemClock } from '@tollgate/kernel/clock';

import { authConfigOf, unusedSecret } from './auth-config-of.ts';
import { withDatabase, type DatabaseChoice } from './open-database.ts';
import { readPassword } from './read-password.ts';

/** `tollgate operator account set-password <email>`: for a forgotten or stolen password. All sessions of the account end, and its API keys. */
export async function setAccountPassword(
  { email, keepsApiKeys }: { readonly email: string; readonly keepsApiKeys: boolean },
  choice: DatabaseChoice,
): Promise<string> {
  const password = await readPassword(`New password of ${email}: `);
  return withDatabase(choice, async (database) => {
    const config = authConfigOf(database, choice, unusedSecret);
    const wish = { email: email.trim().toLowerCase(), password, revokesApiKeys: !keepsApiKeys };
    await setPassword(config, { clock: systemClock, log: choice.log }, wish);
    const ended = keepsApiKeys ? 'its sessions have ended' : 'its sessions and API keys have ended';
    return `The password of ${email} is set; ${ended}.`;
  });
}
