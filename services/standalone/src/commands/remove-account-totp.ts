import { removeTotp } from '@tollgate/auth/operator';
import { systemClock } from '@tollgate/kernel/clock';

import { authConfigOf, unusedSecret } from './auth-config-of.ts';
import { withDatabase, type DatabaseChoice } from './open-database.ts';

/** `tollgate operator account remove-totp <email>`: for a lost device without recovery codes. All sessions of the account end. */
export async function removeAccountTotp(email: string, choice: DatabaseChoice): Promise<string> {
  return withDatabase(choice, async (database) => {
    const config = authConfigOf(database, choice, unusedSecret);
    await removeTotp(config, { clock: systemClock, log: choice.log }, email.trim().toLowerCase());
    return `${email} signs in with the password alone; its sessions have ended.`;
  });
}
