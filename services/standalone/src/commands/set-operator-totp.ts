import { openOperatorTotp, type OperatorTotp } from '@tollgate/auth/operator';
import { systemClock } from '@tollgate/kernel/clock';

import { authConfigOf, secretOf } from './auth-config-of.ts';
import { withDatabase, type DatabaseChoice } from './open-database.ts';

/** `tollgate operator operator-totp enable`: prints a secret, which counts for nothing until it is confirmed. */
export async function enableOperatorTotp(choice: DatabaseChoice): Promise<string> {
  const { secret, uri } = await onTotp(choice, (totp) => totp.begin());
  return `Add this to an authenticator app:\n${uri}\nor type in the secret ${secret}\nThen run \`tollgate operator operator-totp confirm <code>\` with the code that it shows.`;
}

/** `tollgate operator operator-totp confirm <code>`. */
export async function confirmOperatorTotp(code: string, choice: DatabaseChoice): Promise<string> {
  await onTotp(choice, (totp) => totp.confirm(code));
  return 'The second factor is on: within a second, every change over HTTP as operator needs `Tollgate-Operator-Code`.';
}

/** `tollgate operator operator-totp disable`: also for a lost device. Who can run it owns the database. */
export async function disableOperatorTotp(choice: DatabaseChoice): Promise<string> {
  await onTotp(choice, (totp) => totp.disable());
  return 'The second factor is off: the operator token alone is enough.';
}

function onTotp<T>(choice: DatabaseChoice, work: (totp: OperatorTotp) => Promise<T>): Promise<T> {
  return withDatabase(choice, (database) => {
    const config = authConfigOf(database, choice, secretOf(choice));
    return openOperatorTotp(config, { clock: systemClock, log: choice.log }, work);
  });
}
