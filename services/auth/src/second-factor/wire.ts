import type { Database } from '@tollgate/database/database';
import type { SignInThrottle } from '../accounts/memory-sign-in-throttle.ts';
import type { RecordRefusals } from '../accounts/record-refusals.ts';
import { createBeginTotp } from './begin-totp.ts';
import type { SecondFactorDeps } from './change-factor.ts';
import { createConfirmTotp } from './confirm-totp.ts';
import { createReadTotpState } from './read-totp-state.ts';
import { createRemoveOwnTotp } from './remove-own-totp.ts';
import { createReplaceRecoveryCodes } from './replace-recovery-codes.ts';
import { createCreateOperatorCode } from './create-operator-code.ts';
import { operatorCodeController } from './operator-code.controller.ts';
import { secondFactorController } from './second-factor.controller.ts';

interface Deps extends SecondFactorDeps {
  readonly worker: Database;
  readonly throttle: SignInThrottle;
  readonly recordRefusals: RecordRefusals;
}

export function wireSecondFactor(deps: Deps) {
  const useCases = {
    throttle: deps.throttle,
    readTotpState: createReadTotpState(deps),
    beginTotp: createBeginTotp(deps),
    confirmTotp: deps.recordRefusals.ofChange('second_factor.added', createConfirmTotp(deps)),
    removeOwnTotp: deps.recordRefusals.ofChange('second_factor.removed', createRemoveOwnTotp(deps)),
    replaceRecoveryCodes: deps.recordRefusals.ofChange('recovery_codes.replaced', createReplaceRecoveryCodes(deps)),
  };
  const operator = { throttle: deps.throttle, createOperatorCode: createCreateOperatorCode(deps) };
  return { useCases, controllers: [secondFactorController(useCases), operatorCodeController(operator)] };
}
