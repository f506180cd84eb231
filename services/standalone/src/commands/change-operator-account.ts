import { changeOperatorAccount } from '@tollgate/auth/operator';
import { systemClock } from '@tollgate/kernel/clock';

import { authConfigOf, unusedSecret } from './auth-config-of.ts';
import { withDatabase, type DatabaseChoice } from './open-database.ts';

/** `tollgate operator account grant-operator <email>`, and `revoke-operator`. All sessions of the account end. */
export async function changeOneOperatorAccount(
  { email, verb }: { readonly email: string; readonly verb: 'grant' | 'revoke' },
  choice: DatabaseChoice,
): Promise<string> {
  return withDatabase(choice, async (database) => {
    const config = authConfigOf(database, choice, unusedSecret);
    const named = { email: email.trim().toLowerCase(), verb };
    await changeOperatorAccount(config, { clock: systemClock, log: choice.log }, named);
    return verb === 'grant'
      ? `${email} is an account of the operator; its sessions have ended. It signs in with a second factor.`
      : `${email} is no account of the operator any more; its sessions have ended.`;
  });
}
