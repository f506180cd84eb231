import type { Database } from '@tollgate/database/database';
import type { Notifications } from '@tollgate/database/notifications';
import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import type { OwnAddressOf } from '@tollgate/runtime/http/requests/own-address';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { NamePass } from '../passes/named-pass.ts';
import type { PassOf } from '../passes/pass-of.ts';
import type { ToolDirectory } from '../tools/tool-directory.ts';
import { createTakeApproved } from './approvals/take-approved.ts';
import { createAdmitEvent, createIsUncapped } from './deciding/admit-event.ts';
import { createAskAuthorization } from './authorizations/ask-authorization.ts';
import { createAuthorizationHandlers } from './authorizations/authorization-handlers.ts';
import { createBalanceCaps, createFillBalances } from './caps/balance-caps.ts';
import { createBudgetDirectory } from './caps/budget-directory.ts';
import { createBudgetHandlers } from './caps/budget-handlers.ts';
import type { CreditRules } from './deciding/credit-rules.ts';
import { createFindPayer } from './deciding/find-payer.ts';
import { createGate } from './gate.ts';
import { createPastDueAccounts } from './deciding/past-due-accounts.ts';
import { createReadStanding } from './deciding/read-standing.ts';
import { createSettleAccounts } from './settling/settle-accounts.ts';
import { createSettleRounds } from './settling/settle-rounds.ts';
import { createShowAuthorization } from './authorizations/show-authorization.ts';
import { createUnsecuredAccounts } from './deciding/unsecured-accounts.ts';

export interface GateDeps {
  readonly worker: Database;
  readonly notifications: Pick<Notifications, 'on'>;
  readonly tools: ToolDirectory;
  readonly passOf: PassOf;
  readonly namePass: NamePass;
  readonly isSuspended: (accountId: string) => boolean;
  readonly rules: CreditRules;
  readonly ownAddressOf: OwnAddressOf;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Money that is held before it is spent. The handlers have the names of their operations. */
export function wireGate(deps: GateDeps) {
  const { worker, notifications, tools, namePass, isSuspended, rules, clock, log } = deps;
  const budgets = createBudgetDirectory({ database: worker, notifications, clock, log });
  const following = { database: worker, notifications, clock, log, rules };
  const pastDueAccounts = createPastDueAccounts(following);
  const unsecured = createUnsecuredAccounts(following);
  const balances = createBalanceCaps({ ...following, unsecured });
  const fillBalances = createFillBalances(rules);
  const settleAccounts = createSettleAccounts(worker);
  const gate = createGate({ database: worker, settleAccounts, fillBalances, clock, log });
  const findPayer = createFindPayer({ namePass, isSuspended });
  const showAuthorization = createShowAuthorization({ database: worker, fillBalances, clock });
  const caps = { gate, budgets, balances, pastDueAccounts };
  const takeApproved = createTakeApproved({ gate, database: worker });
  const isUncapped = createIsUncapped(caps);
  const askAuthorization = createAskAuthorization({ ...caps, takeApproved, tools, isSuspended, findPayer, clock });
  const { askAuthorization: ask, ...others } = createAuthorizationHandlers({
    ...deps,
    database: worker,
    askAuthorization,
    readStanding: createReadStanding(rules),
    showAuthorization,
    fillBalances,
    settleAccounts,
  });
  const gateEnd: Service = { name: 'gate', start: async () => undefined, stop: gate.idle };
  return {
    isUncapped,
    admitEvent: createAdmitEvent({ ...caps, isUncapped }),
    /** On the way of each call. */
    asking: { askAuthorization: ask },
    handlers: { ...others, ...createBudgetHandlers({ database: worker, settleAccounts, budgets, clock }) },
    knowledge: [budgets, balances, unsecured, pastDueAccounts],
    services: [createSettleRounds({ database: worker, settleAccounts, rules, clock, log }), gateEnd],
  };
}
