import type { Payout as ApiPayout, PayoutQuery } from '@tollgate/contracts/money/payouts';
import { toIso } from '@tollgate/kernel/clock';
import { mapInTurns } from '@tollgate/runtime/timing/map-in-turns';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { centsToMicros, floorToCents } from '@tollgate/kernel/whole-cents';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { Response } from 'express';
import type { PayoutAccount } from '@tollgate/contracts/money/billing-account';
import type { FoundPayout, PayoutAttempts, Payouts } from './payouts.ts';
import type { OpenedPayout } from './open-payout.ts';
import type { Statement } from './read-statement.ts';
import { sumEarned, type EarnedSums } from './earned.ts';
import type { Payout, Remainder, BillingAccount } from './payout.ts';
import type { StatementLine } from './statement-lines.ts';
import type { TransferAttempt } from './sql-transfers.ts';
import { fromPayoutCursor, toPayoutCursor } from './payout-cursor.ts';
import type { ConnectedAccount } from '../processor/sql-connected-accounts.ts';

function toApiPayout(payout: OpenedPayout['payout']) {
  const { id, period, status, netCents, feeCents } = payout;
  const paidAtMs = payout.status === 'pending' ? null : payout.paidAtMs;
  return {
    id,
    amount_usd: toUsdNumber(centsToMicros(netCents + feeCents)),
    net_usd: toUsdNumber(centsToMicros(netCents)),
    fee_usd: toUsdNumber(centsToMicros(feeCents)),
    status: status satisfies ApiPayout['status'],
    period,
    paid_at: toApiTime(paidAtMs),
  };
}

export function toApiPayoutDetail(found: FoundPayout) {
  const { payout, earned, processorFeesMicros, carriedIn, carriedOut, transfers } = found;
  const byTool = [...Map.groupBy(earned, ({ toolId }) => toolId)].toSorted(([left], [right]) =>
    left < right ? -1 : 1,
  );
  return {
    ...toApiPayout(payout),
    lines: byTool.map(([toolId, ofTool]) => ({ tool_id: toolId, ...toApiEarned(sumEarned(ofTool)) })),
    processor_fees_usd: toUsdNumber(processorFeesMicros),
    carried_in: toApiRemainder(carriedIn),
    carried_out: toApiRemainder(carriedOut),
    next_attempt_at: payout.status === 'pending' ? null : toApiTime(payout.dueAtMs),
    attempts: transfers.map(toApiAttempt),
  };
}

/** The text of the answer: a statement may have many thousand lines. */
export async function toStatementText(statement: Statement): Promise<string> {
  const { payout, processorFeesMicros, carriedIn, carriedOut, lines } = statement;
  const texts = await mapInTurns(lines, (line) => JSON.stringify(toApiStatementLine(line)));
  const rest = {
    period: payout.period,
    currency: 'usd',
    payout: toApiPayout(payout),
    ...toApiEarned(sumEarned(lines)),
    processor_fees_usd: toUsdNumber(processorFeesMicros),
    carried_in: toApiRemainder(carriedIn),
    carried_out: toApiRemainder(carriedOut),
  };
  return `{"lines":[${texts.join(',')}],${JSON.stringify(rest).slice(1)}`;
}

export function toApiOperatorPayout(payout: Payout) {
  return {
    ...toApiPayout(payout),
    account_id: payout.builderId,
    next_attempt_at: toApiTime(payout.dueAtMs),
    failures: payout.failures,
    failing_since: toApiTime(payout.failingSinceMs),
  };
}

export function toApiPayoutAttempts({ payout, transfers }: PayoutAttempts) {
  return {
    payout: toApiOperatorPayout(payout),
    attempts: transfers.map((transfer) => ({
      attempt_id: transfer.id,
      ...toApiAttempt(transfer),
      processor: transfer.processor,
      processor_account_id: transfer.processorAccountId,
      object_id: transfer.objectId,
      idempotency_key: transfer.idempotencyKey,
    })),
    total: transfers.length,
  };
}

function toApiAttempt({ number, status, amountCents, failureCode, startedAtMs, settledAtMs }: TransferAttempt) {
  return {
    number,
    status,
    amount_usd: toUsdNumber(centsToMicros(amountCents)),
    failure_code: failureCode,
    started_at: toIso(startedAtMs),
    settled_at: toApiTime(settledAtMs),
  };
}

function toApiStatementLine(line: StatementLine) {
  return {
    tool_id: line.toolId,
    price_id: line.priceId,
    charge: line.chargeIndex,
    name: line.name,
    type: line.by,
    period: line.period,
    day: line.day,
    ...toApiEarned(line),
  };
}

function toApiEarned({ chargeMicros, earningMicros, feeMicros }: EarnedSums) {
  return {
    charge_usd: toUsdNumber(chargeMicros),
    earning_usd: toUsdNumber(earningMicros),
    fee_usd: toUsdNumber(feeMicros),
  };
}

function toApiRemainder({ earningMicros, feeMicros }: Remainder) {
  return { earning_usd: toUsdNumber(earningMicros), fee_usd: toUsdNumber(feeMicros) };
}

function toApiTime(ms: number | null): string | null {
  return ms === null ? null : toIso(ms);
}

export async function sendPayoutPage(
  response: Response,
  listPayouts: Payouts['listPayouts'],
  query: PayoutQuery & { readonly builderId: string },
): Promise<void> {
  const { builderId, limit, cursor, status, period } = query;
  const page = await listPayouts({ builderId, limit, status, period, ...fromPayoutCursor(cursor) });
  sendJson(response, 200, toListPage('payouts', { ...page, limit, cursorOf: toPayoutCursor, toApi: toApiPayout }));
}

export function toApiBillingAccount(account: BillingAccount) {
  const { processorAccountId, isPayoutEnabled, pendingBalanceMicros, state } = account;
  return {
    processor_connected: processorAccountId !== null,
    processor_account_id: processorAccountId,
    payout_enabled: isPayoutEnabled,
    pending_balance_usd: toUsdNumber(centsToMicros(floorToCents(pendingBalanceMicros))),
    ...toApiState(state),
  };
}

const none = {
  processorAccountId: null,
  areDetailsSubmitted: false,
  arePayoutsEnabled: false,
  isDisconnected: false,
  country: null,
};

export function toApiPayoutAccount(accountId: string, known: ConnectedAccount | undefined): PayoutAccount {
  const { processorAccountId, areDetailsSubmitted, arePayoutsEnabled, isDisconnected, country } = known ?? none;
  return {
    account_id: accountId,
    processor_account_id: processorAccountId,
    details_submitted: areDetailsSubmitted,
    payout_enabled: arePayoutsEnabled,
    disconnected: isDisconnected,
    country,
    ...toApiState(known),
  };
}

function toApiState(known: ConnectedAccount | undefined) {
  const { requirements = [], disabledReason = null, bankFailure } = known ?? {};
  const failure = bankFailure && { code: bankFailure.code, failed_at: toIso(bankFailure.atMs) };
  return { requirements: [...requirements], disabled_reason: disabledReason, bank_failure: failure ?? null };
}
