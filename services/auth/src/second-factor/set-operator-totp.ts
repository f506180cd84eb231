import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { SealedBox } from '@tollgate/kernel/sealed-box';
import { operatorContext } from './create-operator-code.ts';
import { confirmOperatorTotp, deleteOperatorTotp, putOperatorTotp, readOperatorTotp } from './sql-operator-totp.ts';
import { createTotpSecret, stepOfCode, type TotpSecret } from './totp.ts';
import { invalidSecondFactor, openTotpSecret } from './use-second-factor.ts';

interface Deps {
  readonly worker: Database;
  readonly box: SealedBox;
  readonly clock: Clock;
  readonly realTime: Pick<Clock, 'now'>;
}

/** The acts of the operator's commands on the operator's second factor. All services know it within a second. */
export interface SetOperatorTotp {
  /** It counts for nothing until it is confirmed. Throws `totp_enabled`. */
  begin(): Promise<TotpSecret>;
  /** From now on, changes over HTTP need a code. */
  confirm(code: string, by: Actor): Promise<void>;
  disable(by: Actor): Promise<void>;
}

export function createSetOperatorTotp({ worker, box, clock, realTime }: Deps): SetOperatorTotp {
  const object = { kind: 'operator_totp' };
  return {
    async begin() {
      const begun = createTotpSecret(operatorContext);
      if (!(await putOperatorTotp(worker, box.seal(begun.secret, operatorContext), clock.now())))
        throw new AppError('totp_enabled', 'The operator has a second factor. Disable it first.');
      return begun;
    },
    async confirm(code, by) {
      const totp = await readOperatorTotp(worker);
      if (totp === undefined || totp.confirmedAt !== undefined)
        throw new AppError(
          'not_found',
          'There is no secret to confirm. Begin with `tollgate operator operator-totp enable`.',
        );
      const { secretSealed } = totp;
      const step = stepOfCode(openTotpSecret(box, secretSealed, operatorContext), code, realTime.now());
      if (step === undefined) throw invalidSecondFactor();
      await worker.transaction(async (tx) => {
        const isConfirmed = await confirmOperatorTotp(tx, { secretSealed, step, confirmedAt: clock.now() });
        if (!isConfirmed) throw invalidSecondFactor(); // another secret was stored meanwhile
        await recordAct(tx, by, { action: 'operator_totp.enabled', object });
      });
    },
    disable: (by) =>
      worker.transaction(async (tx) => {
        if (!(await deleteOperatorTotp(tx))) throw new AppError('not_found', 'The operator has no second factor.');
        await recordAct(tx, by, { action: 'operator_totp.disabled', object });
      }),
  };
}
