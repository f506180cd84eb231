import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { minuteMs } from '@tollgate/kernel/durations';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { ClockCheck } from '@tollgate/runtime/timing/clock-check';
import { every } from '@tollgate/runtime/timing/every';
import type { SignInThrottle } from '../accounts/memory-sign-in-throttle.ts';
import type { RecordRefusals } from '../accounts/record-refusals.ts';
import type { Config } from '../config.ts';
import { createCloseAccount, type CloseAccountDeps } from './close-account.ts';
import { createEraseAccounts } from './erase-accounts.ts';
import { erasureController } from './erasure.controller.ts';

interface Deps extends CloseAccountDeps {
  readonly worker: Database;
  readonly clock: Clock;
  readonly throttle: SignInThrottle;
  readonly recordRefusals: RecordRefusals;
  readonly clockCheck: Pick<ClockCheck, 'requireRight'>;
  readonly log: Logger;
}

/** Wires the end of accounts: the route that closes one, the job that erases it, and the operator's list. */
export function wireErasure(config: Config, deps: Deps) {
  const { recordRefusals, clockCheck, log } = deps;
  const closeAccount = recordRefusals.ofChange('account.closed', createCloseAccount(deps));
  const eraseAccounts = createEraseAccounts(deps);
  const run = async (): Promise<void> => {
    clockCheck.requireRight();
    await eraseAccounts();
  };
  return {
    controllers: [erasureController({ ...deps, closeAccount, booksKeptYears: config.BOOKS_KEPT_YEARS })],
    parts: [every({ name: 'erase-accounts', everyMs: minuteMs, run, log })],
  };
}
