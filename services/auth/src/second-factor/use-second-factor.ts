import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { SignInThrottle } from '../accounts/memory-sign-in-throttle.ts';
import type { UseSecondFactor } from '../accounts/begin-session.ts';
import type { SealedBox } from '@tollgate/kernel/sealed-box';
import { hashRecoveryCode } from './recovery-code.ts';
import { useRecoveryCode } from './sql-recovery-code.ts';
import { readTotp, useTotpStep } from './sql-totp.ts';
import { stepOfCode } from './totp.ts';

interface Deps {
  readonly box: SealedBox;
  readonly throttle: Pick<SignInThrottle, 'admitCodeTry'>;
  readonly clock: Clock;
  /** Authenticator apps go by real time, also while the sandbox clock is moved. */
  readonly realTime: Pick<Clock, 'now'>;
}

/**
 * Uses up the code that an account presents, in the caller's transaction, so that the code and what it admits are one.
 * The caller holds a lock on the account's row: a factor that is confirmed at once is seen here, or waits. An account
 * without a confirmed factor needs no code.
 */
export function createUseSecondFactor({ box, throttle, clock, realTime }: Deps): UseSecondFactor {
  return async function applySecondFactor(tx, accountId, { totpCode, recoveryCode }) {
    const totp = await readTotp(tx, accountId);
    if (totp?.confirmedAt === undefined) return undefined;
    if (totpCode !== undefined) {
      await throttle.admitCodeTry(accountId);
      const step = stepOfCode(openTotpSecret(box, totp.secretSealed, accountId), totpCode, realTime.now());
      if (step === undefined || !(await useTotpStep(tx, accountId, step))) throw invalidSecondFactor();
      return 'totp';
    }
    if (recoveryCode === undefined) throw secondFactorRequired();
    const used = { accountId, codeHash: hashRecoveryCode(recoveryCode), usedAt: clock.now() };
    if (!(await useRecoveryCode(tx, used))) throw invalidSecondFactor();
    return 'recovery_code';
  };
}

/** Throws `unavailable` after AUTH_KEY_ENCRYPTION_SECRET was lost: recovery codes still work, and so does the operator's command. */
export function openTotpSecret(box: SealedBox, sealed: Uint8Array, accountId: string): string {
  const secret = box.open(sealed, accountId);
  if (secret !== undefined) return secret;
  const detail = 'AUTH_KEY_ENCRYPTION_SECRET does not open the secret of an authenticator app';
  throw new AppError('unavailable', 'Codes of this app cannot be checked any more. Use a recovery code.', { detail });
}

export function invalidSecondFactor(): AppError {
  return new AppError('invalid_second_factor', 'The code is wrong, or it was used before.');
}

function secondFactorRequired(): AppError {
  return new AppError('second_factor_required', 'Send `totp_code` or `recovery_code` as well.');
}
