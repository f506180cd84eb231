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
import { createBudgetDirectory } from './budget-directory.ts';
import { createBudgetHandlers } from './budget-handlers.ts';
import { createFindPayer } from './find-payer.ts';
import { createGate } from './gate.ts';
import { createSettleAccount } from './settle-account.ts';
import { createSettleRounds } from './settle-rounds.ts';

export interface GateDeps {
  readonly worker: Database;
  readonly notifications: Pick<Notifications, 'on'>;
  readonly tools: ToolDirectory;
  readonly passes: PassDirectory;
  readonly passOf: PassOf;
  readonly isSuspended: (accountId: string) => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Money that is held before it is spent. The handlers have the names of their operations. */
export function wireGate(deps: GateDeps) {
  const { worker, notifications, tools, passes, passOf, isSuspended, clock, log } = deps;
  const budgets = createBudgetDirectory({ database: worker, notifications, clock, log });
  const settleAccount = createSettleAccount(worker);
  const gate = createGate({ database: worker, settleAccount, clock, log });
  const findPayer = createFindPayer({ passes, isSuspended });
  const askAuthorization = createAskAuthorization({ gate, tools, budgets, findPayer, clock });
  const gateEnd: Service = { name: 'gate', start: async () => undefined, stop: gate.idle };
  return {
    admitEvent: createAdmitEvent({ gate, budgets }),
    handlers: {
      ...createAuthorizationHandlers({ database: worker, askAuthorization, tools, passOf, passes, clock }),
      ...createBudgetHandlers({ database: worker, settleAccount, budgets, clock }),
    },
    knowledge: [budgets],
    services: [createSettleRounds({ database: worker, settleAccount, clock, log }), gateEnd],
  };
}
