import {
  billingAccountController,
  type BillingAccountUseCases,
  operatorPayoutsController,
  payoutsController,
} from './payouts.controller.ts';
import { createObservePayouts } from './observe-payouts.ts';
import type { PayoutsDeps } from './payout.ts';
import { createPayouts } from './payouts.ts';
import { createSchedulePayouts } from './schedule-payouts.ts';
import { createTransferPayouts } from './transfer-payouts.ts';

/** Wires the scheduling and transfer of payouts, and the routes that show them. `accounts` are those at the processor. */
export function wirePayouts(deps: PayoutsDeps, accounts: Omit<BillingAccountUseCases, 'readBillingAccount'>) {
  const payouts = createPayouts(deps);
  const { readBillingAccount } = payouts;
  return {
    dueSteps: [createSchedulePayouts(deps), createTransferPayouts(deps), createObservePayouts(deps)],
    controllers: [
      billingAccountController({ ...accounts, readBillingAccount }),
      payoutsController(payouts, deps.clock),
      operatorPayoutsController(payouts, deps),
    ],
  };
}
