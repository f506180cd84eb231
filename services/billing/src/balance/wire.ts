import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { autoTopUpController } from './auto-top-up.controller.ts';
import { balanceAlertsController } from './balance-alerts.controller.ts';
import { balanceController } from './balance.controller.ts';
import { creditLimitController } from './credit-limit.controller.ts';
import { creditsController } from './credits.controller.ts';
import type { Attempts } from '../processor/create-attempts.ts';
import type { Processor } from '../processor/processor.ts';
import { createExpireCredits } from './expire-credits.ts';
import { createFindBalance, type FindBalanceDeps } from './find-balance.ts';
import { createFindCredits } from './find-credits.ts';
import { createFindTopUp, createListTopUps } from './find-top-ups.ts';
import { createGrantCredit, type GrantDeps } from './grant-credit.ts';
import { createOrderTopUp } from './order-top-up.ts';
import { createRaiseThresholdAlerts } from './raise-threshold-alerts.ts';
import { createTopUpAutomatically, type TopUpAutomaticallyDeps } from './top-up-automatically.ts';
import { topUpsController } from './top-ups.controller.ts';

export interface BalanceDeps extends Pick<GrantDeps, 'collectAtOnce'> {
  readonly api: Database;
  readonly settling: Database;
  readonly processor: Pick<Processor, 'name'>;
  readonly attempts: Attempts;
  readonly readUnbilled: TopUpAutomaticallyDeps['readUnbilled'];
  readonly readUnbilledCharges: FindBalanceDeps['readUnbilledCharges'];
  readonly clock: Clock;
  readonly log: Logger;
  readonly batchMax?: number;
}

/** Wires the balances of consumers: the credits that the operator grants, and the top-ups that consumers pay. */
export function wireBalance({ api, settling: database, clock, log, ...deps }: BalanceDeps) {
  const { processor, attempts, collectAtOnce, readUnbilled, readUnbilledCharges, batchMax } = deps;
  const { name: processorName } = processor;
  const batch = batchMax === undefined ? {} : { batchMax };
  const useCases = {
    grantCredit: createGrantCredit({ database, clock, collectAtOnce }),
    findCredits: createFindCredits({ database }),
    findBalance: createFindBalance({ api, clock, readUnbilledCharges }),
    orderTopUp: createOrderTopUp({ database, clock, attempts, processorName }),
    findTopUp: createFindTopUp({ api }),
    listTopUps: createListTopUps({ api }),
  };
  return {
    useCases,
    dueSteps: [
      createExpireCredits({ database, log, ...batch }),
      createTopUpAutomatically({ database, attempts, processorName, readUnbilled, log, ...batch }),
      createRaiseThresholdAlerts({ database, readUnbilledCharges, log, ...batch }),
    ],
    controllers: [
      balanceController(useCases),
      balanceAlertsController({ api, clock }),
      creditsController(useCases),
      topUpsController(useCases),
      autoTopUpController({ api, clock }),
      creditLimitController({ database, clock }),
    ],
  };
}
