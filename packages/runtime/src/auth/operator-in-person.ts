import { needsFreshFactor } from '@tollgate/contracts/operator/fresh-factor';
import type { Route } from '@tollgate/contracts/routes/route';
import { AppError } from '@tollgate/kernel/app-error';
import { minuteMs } from '@tollgate/kernel/durations';
import type { OperatorPrincipal, SessionPrincipal } from '../http/requests/principal.ts';

/** A browser that is left alone for longer moves no money. */
export const factorFreshMs = 15 * minuteMs;

/** The operator as a person. Undefined for any other session. Throws `operator_code_required`. */
export function operatorInPerson(
  { accountId, sessionId, operator }: SessionPrincipal,
  route: Pick<Route, 'operationId'>,
): OperatorPrincipal | undefined {
  if (operator === undefined) return undefined;
  if (operator.factor === 'none') throw required(signInAgain);
  if (operator.factor === 'stale' && needsFreshFactor(route)) throw required(proveAgain);
  return { kind: 'operator', name: `account ${accountId}`, person: { accountId, sessionId } };
}

const signInAgain =
  'An account of the operator opens this with a second factor. Set one up (`POST /v1/auth/totp`), and send a code to `POST /v1/auth/session/second-factor`.';
const proveAgain =
  'This needs a code of the second factor from the last 15 minutes. Send one to `POST /v1/auth/session/second-factor`.';

function required(message: string): AppError {
  return new AppError('operator_code_required', message);
}
