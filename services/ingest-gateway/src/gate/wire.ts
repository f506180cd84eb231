import type { Database } from '@tollgate/database/database';
import type { Notifications } from '@tollgate/database/notifications';
import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { ToolDirectory } from '../tools/tool-directory.ts';
import { createAdmitEvent } from './admit-event.ts';
import { createAskAuthorization } from './ask-authorization.ts';
import { createAuthorizationHandlers } from './authorization-handlers.ts';
import { createBudgetDirectory } from './budget-directory.ts';
import { createBudgetHandlers } from './budget-handlers.ts';
import { createGate } from './gate.ts';
import { createSettleAccount } from './settle-account.ts';
import { createSettleRounds } from './settle-rounds.ts';

export interface GateDeps {
  readonly worker: Database;
  readonly notifications: Pick<Notifications, 'on'>;
  readonly tools: ToolDirectory;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Money that is held before it is spent. The handlers have the names of their operations. */
export function wireGate({ worker, notifications, tools, clock, log }: GateDeps) {
  const budgets = createBudgetDirectory({ database: worker, notifications, clock, log });
  const settleAccount = createSettleAccount(worker);
  const gate = createGate({ database: worker, settleAccount, clock, log });
  const askAuthorization = createAskAuthorization({ gate, tools, budgets, clock });
  const gateEnd: Service = { name: 'gate', start: async () => undefined, stop: gate.idle };
  return {
    admitEvent: createAdmitEvent({ gate, budgets }),
    handlers: {
      ...createAuthorizationHandlers({ database: worker, askAuthorization, tools, clock }),
      ...createBudgetHandlers({ database: worker, settleAccount, budgets, clock }),
    },
    knowledge: [budgets],
    services: [createSettleRounds({ database: worker, settleAccount, clock, log }), gateEnd],
  };
}
