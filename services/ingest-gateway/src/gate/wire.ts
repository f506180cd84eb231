import type { Database } from '@tollgate/database/database';
import type { Notifications } from '@tollgate/database/notifications';
import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { PassDirectory } from '../passes/pass-directory.ts';
import type { PassOf } from '../passes/pass-of.ts';
import type { ToolDirectory } from '../tools/tool-directory.ts';
import { createAdmitEvent } from './admit-event.ts';
import { createAskAuthorization } from './ask-authorization.ts';
import { createAuthorizationHandlers } from './authorization-handlers.ts';
import { createBalanceCaps, createFillBalances, type ConsumerCredit } from './balance-caps.ts';
import { createBudgetDirectory } from './budget-directory.ts';
import { createBudgetHandlers } from './budget-handlers.ts';
import { createFindPayer } from './find-payer.ts';
import { createGate } from './gate.ts';
import { createSettleAccount } from './settle-account.ts';
import { createSettleRounds } from './settle-rounds.ts';
import { createShowAuthorization } from './show-authorization.ts';

export interface GateDeps {
  readonly worker: Database;
  readonly notifications: Pick<Notifications, 'on'>;
  readonly tools: ToolDirectory;
  readonly passes: PassDirectory;
  readonly passOf: PassOf;
  readonly isSuspended: (accountId: string) => boolean;
  readonly consumerCredit: ConsumerCredit;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Money that is held before it is spent. The handlers have the names of their operations. */
export function wireGate(deps: GateDeps) {
  const { worker, notifications, tools, passes, isSuspended, consumerCredit, clock, log } = deps;
  const budgets = createBudgetDirectory({ database: worker, notifications, clock, log });
  const balances = createBalanceCaps({ database: worker, notifications, clock, log, consumerCredit });
  const fillBalances = createFillBalances(consumerCredit);
  const settleAccount = createSettleAccount(worker);
  const gate = createGate({ database: worker, settleAccount, fillBalances, clock, log });
  const findPayer = createFindPayer({ passes, isSuspended });
  const showAuthorization = createShowAuthorization({ database: worker, fillBalances, clock });
  const askAuthorization = createAskAuthorization({ gate, tools, budgets, balances, findPayer, clock });
  const gateEnd: Service = { name: 'gate', start: async () => undefined, stop: gate.idle };
  return {
    admitEvent: createAdmitEvent({ gate, budgets, balances }),
    handlers: {
      ...createAuthorizationHandlers({ database: worker, askAuthorization, showAuthorization, fillBalances, ...deps }),
      ...createBudgetHandlers({ database: worker, settleAccount, budgets, clock }),
    },
    knowledge: [budgets, balances],
    services: [createSettleRounds({ database: worker, settleAccount, consumerCredit, clock, log }), gateEnd],
  };
}
