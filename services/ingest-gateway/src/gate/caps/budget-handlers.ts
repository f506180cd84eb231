import type { IncomingMessage, ServerResponse } from 'node:http';
import { alertsDefault, putBudgetSchema } from '@tollgate/contracts/spending/budget';
import { pageQuerySchema } from '@tollgate/contracts/forms/lists';
import type { Database } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import { toIso, type Clock } from '@tollgate/kernel/clock';
import { micros, zeroMicros } from '@tollgate/kernel/money';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import { parseBody, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { readJsonBody } from '@tollgate/runtime/http/requests/read-json-body';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { accountCaps } from './account-caps.ts';
import type { BudgetDirectory } from './budget-directory.ts';
import { changeBudget } from './change-budget.ts';
import { capKeyOf } from '../authorizations/hold.ts';
import type { SettleAccounts } from '../settling/settle-accounts.ts';
import { findBudget } from './sql-budget.ts';
import { listCapsOf } from './sql-cap-state.ts';
import { listSpendingAlerts, type SpendingAlert } from '../settling/sql-spending-alert.ts';

export interface BudgetHandlersDeps {
  readonly database: Database;
  readonly settleAccounts: SettleAccounts;
  readonly budgets: Pick<BudgetDirectory, 'refresh'>;
  readonly clock: Clock;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const maxBytes = 64 * 1_024;
const microsPerCent = 10_000n;

export function createBudgetHandlers({ database, settleAccounts, budgets, clock }: BudgetHandlersDeps) {
  const getBudget: Handler = async (request, response) => {
    sendJson(response, 200, await readBudget(accountIdOf(request)));
  };

  const putBudget: Handler = async (request, response) => {
    const { value } = parseBody(putBudgetSchema, await readJsonBody(request, { maxBytes }));
    const accountId = accountIdOf(request);
    const { amount_usd: cents, window, alerts = alertsDefault } = value;
    const percents = [...new Set(alerts)].sort((left, right) => left - right);
    const amountMicros = micros(cents * microsPerCent);
    await changeBudget(database, { accountId, amountMicros, window, alerts: percents, changedAtMs: clock.now() });
    await budgets.refresh(); // this gateway knows it at once, the others within a second
    sendJson(response, 200, await readBudget(accountId));
  };

  const deleteBudget: Handler = async (request, response) => {
    const accountId = accountIdOf(request);
    const budget = await findBudget(database, accountId);
    if (budget !== undefined) await changeBudget(database, { ...budget, amountMicros: null, changedAtMs: clock.now() });
    await budgets.refresh();
    response.writeHead(204).end();
  };

  const listOwn: Handler = (request, response) => sendAlerts(request, response, accountIdOf(request));
  const listAll: Handler = (request, response) => sendAlerts(request, response, null);
  return { getBudget, putBudget, deleteBudget, listSpendingAlerts: listOwn, listAllSpendingAlerts: listAll };

  /** Settles first, so that the window has its row, and its figures are of now. */
  async function readBudget(accountId: string) {
    const budget = await findBudget(database, accountId);
    if (budget === undefined || budget.amountMicros === null) throw noBudget();
    const nowMs = clock.now();
    const [wished] = accountCaps(budget, { fromMs: nowMs, toMs: nowMs });
    if (wished === undefined) throw new Error('a budget has a window');
    await settleAccounts([{ accountId, wished: [wished] }], nowMs);
    const cap = (await listCapsOf(database, [accountId])).find((one) => capKeyOf(one) === capKeyOf(wished));
    const [spent, held] = [cap?.spentMicros ?? zeroMicros, cap?.heldMicros ?? zeroMicros];
    const left = micros(budget.amountMicros - spent - held);
    return {
      amount_usd: toUsdNumber(budget.amountMicros),
      window: budget.window,
      alerts: [...budget.alerts],
      spent_usd: toUsdNumber(spent),
      held_usd: toUsdNumber(held),
      remaining_usd: toUsdNumber(left > 0n ? left : zeroMicros),
      resets_at: toIso(wished.endMs),
    };
  }

  async function sendAlerts(
    request: IncomingMessage,
    response: ServerResponse,
    accountId: string | null,
  ): Promise<void> {
    const { limit, cursor } = parseQuery(pageQuerySchema, request.url ?? '');
    const page = await listSpendingAlerts(database, { accountId, limit, ...pagePosition('alerts', cursor) });
    sendJson(response, 200, toListPage('alerts', { ...page, limit, cursorOf, toApi: toApiAlert }));
  }
}

function noBudget(): AppError {
  return new AppError('not_found', 'The account has no budget: what it may spend has no limit.');
}

function cursorOf({ raisedAtMs, id }: SpendingAlert): readonly unknown[] {
  return [raisedAtMs, id];
}

function toApiAlert(alert: SpendingAlert) {
  return {
    id: alert.id,
    type: alert.type,
    account_id: alert.accountId,
    scope: alert.scope,
    scope_id: alert.ownerId,
    percent: alert.percent,
    failure_code: alert.failureCode,
    below_usd: alert.belowMicros === null ? null : toUsdNumber(alert.belowMicros),
    cap_usd: toUsdNumber(alert.capMicros),
    spent_usd: toUsdNumber(alert.spentMicros),
    window_start: toIso(alert.windowStartMs),
    raised_at: toIso(alert.raisedAtMs),
  };
}
