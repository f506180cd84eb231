import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { balanceController } from './balance.controller.ts';
import { creditsController } from './credits.controller.ts';
import { createExpireCredits } from './expire-credits.ts';
import { createFindBalance } from './find-balance.ts';
import { createFindCredits } from './find-credits.ts';
import { createGrantCredit, type GrantDeps } from './grant-credit.ts';

export interface BalanceDeps extends Pick<GrantDeps, 'collectAtOnce'> {
  readonly api: Database;
  readonly settling: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly batchMax?: number;
}

/** Wires the balances of consumers, and the credits that the operator grants. */
export function wireBalance({ api, settling: database, clock, log, collectAtOnce, ...batch }: BalanceDeps) {
  const useCases = {
    grantCredit: createGrantCredit({ database, clock, collectAtOnce }),
    findCredits: createFindCredits({ database }),
    findBalance: createFindBalance({ api }),
  };
  return {
    useCases,
    dueSteps: [createExpireCredits({ database, log, ...batch })],
    controllers: [balanceController(useCases), creditsController(useCases)],
  };
}
