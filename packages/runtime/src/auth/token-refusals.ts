import type { KeyScope } from '@tollgate/contracts/routes/route';
import { AppError } from '@tollgate/kernel/app-error';
import { timeHere } from '@tollgate/kernel/clock';

export function expiredToken(nowMs: number): AppError {
  const message = `The access token has expired: ${timeHere(nowMs)}. Refresh it or sign in again.`;
  return new AppError('unauthorized', message);
}

export function expiredKey(nowMs: number): AppError {
  const message = `The API key has expired: ${timeHere(nowMs)}. Its owner creates another with \`POST /v1/api-keys\`.`;
  return new AppError('unauthorized', message);
}

export function missingScope(scope: KeyScope): AppError {
  const message = `This API key cannot \`${scope}\`. Its owner creates another with \`${scope}\` in \`can\`.`;
  return new AppError(`${scope}_scope_missing`, message);
}

/** The status is not 401, since a new token would not help. The operator's reason stays private. */
export function suspendedAccount(): AppError {
  return new AppError('account_suspended', 'The operator has suspended this account. Ask the operator.');
}

/** Every service knows a pass by its form, so it need not know the pass. */
export function passOpensLittle(): AppError {
  const message = 'A pass records events of its tools and reads itself; this needs an access token or an API key.';
  return new AppError('forbidden', message);
}

/** Only our own page asks with such a token. */
export function embedOpensItsPage(): AppError {
  const message = 'The token of an embed reads what its one page shows; this needs an access token or an API key.';
  return new AppError('forbidden', message);
}

/** The message is the same whatever is wrong, so a forger learns nothing from it. The reason is for the log. */
export function invalidToken(reason: string, cause?: unknown): AppError {
  return new AppError('unauthorized', 'The credential is not valid.', { detail: reason, cause });
}

/** The holder had the token itself, so the answer may say what became of it. */
export class DeadOperatorToken extends AppError {
  readonly tokenName: string;
  readonly fate: 'expired' | 'revoked' | 'replaced';

  constructor(tokenName: string, fate: DeadOperatorToken['fate']) {
    const verb = fate === 'expired' ? 'has expired' : `was ${fate}`;
    const command = fate === 'replaced' ? `rotate ${tokenName}` : `create --name ${tokenName}`;
    super(
      'unauthorized',
      `The operator token \`${tokenName}\` ${verb}. Make a new one with \`tollgate operator operator-token ${command}\`.`,
    );
    this.tokenName = tokenName;
    this.fate = fate;
  }
}
