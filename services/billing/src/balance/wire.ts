import { autoTopUpController, topUpsController } from './top-ups.controller.ts';
import {
  balanceAlertsController,
  balanceController,
  creditsController,
  creditLimitController,
} from './balance.controller.ts';
import { createBalances } from './balance.ts';
import type { BalanceDeps } from './credit.ts';

/** Wires the balances of consumers: the credits that the operator grants, and the top-ups that consumers pay. */
export function wireBalance(deps: BalanceDeps) {
  const balances = createBalances(deps);
  return {
    useCases: balances,
    dueSteps: [balances.expireCredits, balances.topUpAutomatically, balances.raiseThresholds],
    controllers: [
      balanceController(balances),
      balanceAlertsController(deps),
      creditsController(balances),
      topUpsController(balances),
      autoTopUpController(deps),
      creditLimitController(deps),
    ],
  };
}
