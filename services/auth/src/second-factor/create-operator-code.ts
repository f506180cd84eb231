import { hash, randomBytes } from 'node:crypto';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { minuteMs } from '@tollgate/kernel/durations';
import type { Database } from '@tollgate/database/database';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { SignInThrottle } from '../accounts/memory-sign-in-throttle.ts';
import type { SealedBox } from '@tollgate/kernel/sealed-box';
import { insertOperatorCode, readOperatorTotp, useOperatorTotpStep } from './sql-operator-totp.ts';
import { stepOfCode } from './totp.ts';
import { invalidSecondFactor, openTotpSecret } from './use-second-factor.ts';

/** Long enough for a few acts in a row, short enough that a code found later is worth nothing. */
export const operatorCodeLifeMs = 10 * minuteMs;
/** The context in which the operator's secret is sealed, in place of an account's id. */
export const operatorContext = 'operator';

interface Deps {
  readonly worker: Database;
  readonly box: SealedBox;
  readonly throttle: Pick<SignInThrottle, 'admitCodeTry'>;
  readonly clock: Clock;
  readonly realTime: Pick<Clock, 'now'>;
  readonly credentialsChanged: () => Promise<void>;
}

interface Wish {
  readonly totpCode: string;
  /** The operator token that asks, and that alone may use the code. */
  readonly token: string;
}

export type CreateOperatorCode = (wish: Wish, by: Actor) => Promise<string>;

/** Trades a code of the authenticator app for one of ten minutes. Throws `not_found` while there is no second factor. */
export function createCreateOperatorCode(deps: Deps): CreateOperatorCode {
  const { worker, box, throttle, clock, realTime, credentialsChanged } = deps;
  const act = { action: 'operator_code.created', object: { kind: 'operator_code' } } as const;

  return async function createOperatorCode({ totpCode, token }, by) {
    const totp = await readOperatorTotp(worker);
    if (totp?.confirmedAt === undefined) throw new AppError('not_found', 'The operator has no second factor.');
    await throttle.admitCodeTry(operatorContext);
    const step = stepOfCode(openTotpSecret(box, totp.secretSealed, operatorContext), totpCode, realTime.now());
    const code = `code_${randomBytes(32).toString('base64url')}`;
    if (step === undefined || !(await store(step, { code, token }, by))) {
      await recordAct(worker, by, { ...act, result: 'refused', detail: { code: 'invalid_second_factor' } });
      throw invalidSecondFactor();
    }
    await credentialsChanged();
    return code;
  };

  function store(step: number, { code, token }: { code: string; token: string }, by: Actor): Promise<boolean> {
    return worker.transaction(async (tx) => {
      if (!(await useOperatorTotpStep(tx, step))) return false;
      const [codeHash, tokenHash] = [hash('sha256', code, 'buffer'), hash('sha256', token, 'buffer')];
      const createdAt = clock.now();
      await insertOperatorCode(tx, { codeHash, tokenHash, createdAt, expiresAt: createdAt + operatorCodeLifeMs });
      await recordAct(tx, by, act);
      return true;
    });
  }
}
