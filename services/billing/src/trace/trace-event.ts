import { hourMs } from '@tollgate/kernel/durations';
import { sumMicros, zeroMicros } from '@tollgate/kernel/money';
import { hourOf, periodBounds, periodOf } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/database/database';
import type { Line } from '@tollgate/pricing/line';
import type { TimedLine, TimedUsage } from '@tollgate/pricing/rate-over-time';
import type { RatedPrice } from '@tollgate/pricing/rated-price';
import { grossKeyOf, type FeeScope } from '../fees/fee.ts';
import type { GrossByKey } from '../fees/fee-splits.ts';
import { followingPeriod } from '../invoicing/due-period.ts';
import type { Invoice } from '../invoicing/invoice.ts';
import { notPaidOut } from '../payouts/plan-payout.ts';
import { notBilledBecause, rateCall } from './rate-call.ts';
import { shareOf, traceEarning, type ReleasedCharge } from './trace-earning.ts';
import { tracePayment, type Collecting } from './trace-payment.ts';
import { tracePayout } from './trace-payout.ts';
import type { Trace, TracedEvent, TracedInvoice, TracedPayout } from './trace.ts';
import { listAttempts } from '../processor/sql-attempts.ts';
import { findChargeableCustomer } from '../processor/sql-customers.ts';
import { findCollectingInvoice, readCallLines, type CallLine } from './sql-find-event.ts';
import { findPayoutAccount } from '../processor/sql-connected-accounts.ts';
import { readAnyPayout } from '../payouts/sql-payouts.ts';
import {
  readLaterMoney,
  readBuilderBalances,
  readMoneyProgress,
  type MoneyProgress,
} from '../payouts/sql-read-builder-balances.ts';
import { readBuilderGross } from '../fees/sql-builder-gross.ts';
import { readInvoice } from '../invoicing/sql-invoices.ts';
import { readRatedPrices } from '../usage/sql-read-rated-prices.ts';
import { readTimedUsage } from '../usage/sql-read-timed-usage.ts';
import { findTracedEvent, type EventLook, type FindDeps } from './find-traced-event.ts';
import { rateConsumers } from '../usage/rate-consumers.ts';
import type { PayoutSettings } from '../payouts/payout.ts';

export interface TraceSettings {
  /** The processor whose customers and accounts are read. */
  readonly processor: string;
  readonly scope: FeeScope;
  readonly payouts: PayoutSettings;
}

/**
 * Follows one event to its invoice and its payout. Throws `event_not_found`. Row-level policies decide whether an
 * account may see the event. The trace has both sides of the money, and `viewerOf` decides which to show.
 */
export function createTraceEvent({ api, worker, ...settings }: FindDeps & TraceSettings) {
  return async function traceEvent(look: EventLook): Promise<Trace> {
    const event = await findTracedEvent(look, { api, worker });
    return worker.transaction((tx) => trace(tx, event, settings), { isolation: 'snapshot' });
  };
}

export type TraceEvent = ReturnType<typeof createTraceEvent>;

async function trace(tx: Transaction, event: TracedEvent, settings: TraceSettings): Promise<Trace> {
  const call = await rate(tx, event);
  const progress = await readMoneyProgress(tx);
  const billed = call.charges.length === 0 ? nothing : await findInvoice(tx, call, progress);
  const collecting = billed.own === undefined ? null : await readCollecting(tx, billed.own, settings.processor);
  const isBilled = call.charges.length > 0;
  return {
    event,
    hourMs: call.hourMs,
    rollup: call.rollup,
    builderId: call.price.builderId,
    notBilled: notBilledBecause(event, call.price, call.charges),
    charges: call.charges.map((charge) => toTracedCharge(charge, billed)),
    invoice: isBilled ? billed.invoice : null,
    payment: tracePayment({
      isBilled,
      isInvoiced: billed.own !== undefined,
      collecting,
      nextPeriod: nextToClose(call.period, progress),
    }),
    ...(isBilled ? await earned(tx, { call, billed, collecting, progress, settings }) : notEarned),
  };
}

interface RatedCall {
  readonly consumerId: string;
  readonly period: string;
  readonly hourMs: number;
  readonly rollup: TimedUsage;
  readonly price: RatedPrice;
  /** Empty if the call is not billed. */
  readonly charges: readonly TimedLine[];
}

async function rate(tx: Transaction, event: TracedEvent): Promise<RatedCall> {
  const { consumerId, toolId } = event;
  const fromMs = hourOf(event.occurredAtMs);
  const period = periodOf(fromMs);
  const query = { accountId: consumerId, role: 'consumer', toolId, granularity: 'hour' } as const;
  const bounds = { sinceMs: periodBounds(period).start, fromMs, toMs: fromMs + hourMs };
  const usage: TimedUsage[] = [];
  for await (const line of readTimedUsage(tx, { ...query, ...bounds })) usage.push(...line.usage);
  const rollup = usage.find(({ startMs, success }) => startMs === fromMs && success === event.success);
  const price = rollup && (await readRatedPrices(tx, [rollup.priceId])).get(rollup.priceId);
  if (rollup === undefined || price === undefined) throw new Error(`event ${event.eventId} is in no rollup`);
  const ofPrice = usage.filter(({ priceId }) => priceId === price.priceId);
  return { consumerId, period, hourMs: fromMs, rollup, price, charges: rateCall({ event, price, usage: ofPrice }) };
}

interface Billed {
  /** The call's invoice; undefined if it is on none yet. */
  readonly own: Invoice | undefined;
  /** The same, or the draft. */
  readonly invoice: TracedInvoice | null;
  /** The lines of the call's price and month, on that invoice or draft. */
  readonly lines: readonly DraftOrCallLine[];
}

type DraftOrCallLine = Omit<CallLine, 'invoiceId'>;

const nothing: Billed = { own: undefined, invoice: null, lines: [] };

async function findInvoice(tx: Transaction, call: RatedCall, progress: MoneyProgress): Promise<Billed> {
  const { consumerId, period, price } = call;
  const lines = await readCallLines(tx, { consumerId, period, priceId: price.priceId });
  const [first] = lines;
  if (first === undefined) return draft(tx, call, progress);
  const own = await readInvoice(tx, { consumerId, id: first.invoiceId, linesMax: 0 });
  if (own === undefined) throw new Error(`invoice ${first.invoiceId} has a line but does not exist`);
  return { own, invoice: own, lines: lines.filter(({ invoiceId }) => invoiceId === own.id) };
}

/** The draft of the call's period, or of the next period to close if the call was counted late. */
async function draft(tx: Transaction, call: RatedCall, progress: MoneyProgress): Promise<Billed> {
  const { consumerId, period } = call;
  const spans = [{ consumerId, firstPeriod: period, lastPeriod: period }];
  const rated = (await rateConsumers(tx, spans, { toolIds: [call.price.toolId] })).get(consumerId) ?? [];
  const ofPrice = rated.filter(({ priceId }) => priceId === call.price.priceId);
  const unnamed = { id: null, number: null, totalCents: null, issuedAtMs: null, dueAtMs: null };
  return {
    own: undefined,
    invoice: { ...unnamed, period: nextToClose(call.period, progress), status: 'draft' },
    lines: ofPrice.map((line) => ({ line, released: null, refundedMicros: zeroMicros })),
  };
}

function nextToClose(period: string, { lastClosed }: MoneyProgress): string {
  return lastClosed === null || period > lastClosed ? period : followingPeriod(lastClosed);
}

async function readCollecting(tx: Transaction, own: Invoice, processor: string): Promise<Collecting | null> {
  const { consumerId, period } = own;
  const found = await findCollectingInvoice(tx, { consumerId, period });
  const invoice = found && (await readInvoice(tx, { consumerId, id: found.id, linesMax: 0 }));
  if (found === undefined || invoice === undefined) return null;
  const { status } = invoice;
  if (status === 'carried') return null; // it collects nothing
  const customer = await findChargeableCustomer(tx, { consumerId, processor });
  const lastCharge = (await listAttempts(tx, 'charge', found.id)).at(-1) ?? null;
  return { ...invoice, status, collectAtMs: found.collectAtMs, hasPaymentMethod: customer !== undefined, lastCharge };
}

function toTracedCharge(call: TimedLine, { lines }: Billed) {
  const found = lineOf(call, lines);
  const refundedMicros = found ? shareOf(found.refundedMicros, sharesOf(call, found.line)) : zeroMicros;
  return { call, line: found?.line ?? null, refundedMicros };
}

function lineOf({ chargeIndex }: TimedLine, lines: Billed['lines']): DraftOrCallLine | undefined {
  return lines.find(({ line }) => line.chargeIndex === chargeIndex);
}

function sharesOf(call: TimedLine, line: Line) {
  return { callMicros: call.chargeMicros, lineMicros: line.chargeMicros };
}

interface Earning {
  readonly call: RatedCall;
  readonly billed: Billed;
  readonly collecting: Collecting | null;
  readonly progress: MoneyProgress;
  readonly settings: TraceSettings;
}

const notEarned = { earning: null, payout: null };

async function earned(tx: Transaction, facts: Earning): Promise<Pick<Trace, 'earning' | 'payout'>> {
  const { call, billed, collecting, settings } = facts;
  const gross = await readBuilderGross(tx, call.price.builderId);
  const released = call.charges.flatMap((charge): ReleasedCall[] => {
    const found = lineOf(charge, billed.lines);
    return found?.released ? [{ ...found.released, ...sharesOf(charge, found.line) }] : [];
  });
  const earning = traceEarning({
    chargeMicros: sumMicros(call.charges.map(({ chargeMicros }) => chargeMicros)),
    released,
    isWrittenOff: collecting?.status === 'uncollectible' || collecting?.status === 'void',
    grossMicros: gross.get(grossKeyOf(settings.scope, call.period)) ?? zeroMicros,
  });
  if (earning.status === 'written_off') return { earning, payout: null };
  return { earning, payout: await followPayout(tx, facts, { gross, released }) };
}

type ReleasedCall = ReleasedCharge & NonNullable<CallLine['released']>;

interface Released {
  readonly gross: GrossByKey;
  /** The call's lines were released together, so one payout contains all of them. */
  readonly released: readonly ReleasedCall[];
}

async function followPayout(tx: Transaction, facts: Earning, { gross, released }: Released): Promise<TracedPayout> {
  const { builderId } = facts.call.price;
  const { processor, payouts } = facts.settings;
  const containing = await readContainingPayout(tx, released[0]?.payoutId ?? null);
  const balancesOf = await readBuilderBalances(tx, [builderId]);
  const nextPeriod = nextPayoutPeriod(facts.progress, facts.call.period);
  const laterOf = await readLaterMoney(tx, { builderIds: [builderId], period: nextPeriod });
  const account = await findPayoutAccount(tx, { builderId, processor });
  return tracePayout({
    ...containing,
    isReleased: released.length > 0,
    hasAccount: account !== undefined,
    payableMicros: notPaidOut({ balances: balancesOf(builderId), gross, later: laterOf(builderId) }).earningMicros,
    ...payouts,
    nextPeriod,
  });
}

async function readContainingPayout(tx: Transaction, payoutId: string | null) {
  if (payoutId === null) return { payout: null, lastTransfer: null };
  const payout = (await readAnyPayout(tx, payoutId)) ?? null;
  return { payout, lastTransfer: (await listAttempts(tx, 'transfer', payoutId)).at(-1) ?? null };
}

/** The call's period, or the first one whose payout day is still to come: its payout also takes older money. */
function nextPayoutPeriod({ firstClosed, lastPayoutDay }: MoneyProgress, period: string): string {
  const next = lastPayoutDay === null ? firstClosed : followingPeriod(lastPayoutDay);
  return next === null || next < period ? period : next;
}
