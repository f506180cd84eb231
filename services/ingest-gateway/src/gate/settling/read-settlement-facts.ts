import type { Transaction } from '@tollgate/database/database';
import { dayMs } from '@tollgate/kernel/durations';
import type { Micros } from '@tollgate/kernel/money';
import { hourOf, periodBounds, periodOf } from '@tollgate/kernel/period';
import type { CountedUsage } from '@tollgate/pricing/counted-usage';
import { capKeyOf, type Captured, type CapState, type CapWish, type HeldEvent } from '../authorizations/hold.ts';
import { listCapsOf } from '../caps/sql-cap-state.ts';
import { findCappedPasses, listNewlyCapped, type CappedPass } from '../caps/sql-pass-cap.ts';
import type { WishedLine } from '../deciding/call-lines.ts';
import { isNothing, type Line } from './lines.ts';
import { listExpiredCaptures, readHeldEvents, readLastSettlements, readSettledMonths } from './sql-settlement.ts';
import { listLinesOf } from './sql-line.ts';
import { createUsageSums, listUsedTools, readPriceSpans, type PriceSpan, type UsageSums } from './sql-spent-usage.ts';

/** An account that is to be settled. */
export interface AccountToSettle {
  readonly accountId: string;
  /** Caps whose rows are made, if they have none yet. */
  readonly wished?: readonly CapWish[];
  /** Likewise. */
  readonly wishedLines?: readonly WishedLine[];
}

export interface FactsQuery {
  /** Each account once. */
  readonly accounts: readonly AccountToSettle[];
  readonly nowMs: number;
  readonly watermarkMs: number;
}

/** The facts by which one account is settled. All are of one moment. */
export interface SettlementFacts {
  readonly accountId: string;
  readonly wished: readonly CapWish[];
  readonly wishedLines: readonly WishedLine[];
  /** The account's, as they were. */
  readonly lines: readonly Line[];
  readonly nowMs: number;
  readonly watermarkMs: number;
  readonly seq: bigint;
  readonly cappedSinceMs: number | null;
  /** Whether any pass of the account is a part of another one. */
  readonly hasParts: boolean;
  readonly caps: readonly CapState[];
  /** The prices of the tools that the account has called. */
  readonly prices: readonly PriceSpan[];
  /** The usage of whole months: those of events, caps and the present. */
  readonly usage: readonly CountedUsage[];
  /** Maps the start of a wished day to the usage of its month before it. */
  readonly usageBefore: ReadonlyMap<number, readonly CountedUsage[]>;
  /** Maps the key of a pass's cap to the usage of the months of its window, without that of the pass, and of its parts, in it. */
  readonly usageWithout: ReadonlyMap<string, UsageOfMonths>;
  /** The passes whose caps follow the rollups still. */
  readonly newlyCapped: ReadonlySet<string>;
  readonly periods: readonly string[];
  readonly events: readonly HeldEvent[];
  readonly settledMonths: ReadonlyMap<string, Micros>;
  /** Captured holds and calls that the watermark has passed. */
  readonly expired: readonly Captured[];
}

export interface UsageOfMonths {
  readonly periods: readonly string[];
  readonly usage: readonly CountedUsage[];
}

/** For each of the accounts, in their order. The same few statements read all accounts. */
export async function readSettlementFacts(tx: Transaction, query: FactsQuery): Promise<SettlementFacts[]> {
  const { nowMs, watermarkMs } = query;
  const accountIds = query.accounts.map(({ accountId }) => accountId);
  const last = await readLastSettlements(tx, accountIds);
  const events = await readHeldEvents(tx, accountIds);
  const caps = Map.groupBy(await listCapsOf(tx, accountIds), ({ accountId }) => accountId);
  const lines = Map.groupBy(await listLinesOf(tx, accountIds), ({ accountId }) => accountId);
  const tools = await listUsedTools(tx, accountIds);
  for (const { accountId, wishedLines = [] } of query.accounts)
    for (const { toolId } of [...(lines.get(accountId) ?? []), ...wishedLines]) tools.get(accountId)?.add(toolId);
  const prices = await readPriceSpans(tx, [...new Set([...tools.values()].flatMap((ids) => [...ids]))]);
  const passes = await readCappedPasses(tx, query, caps);
  // Once the watermark has passed a hold's expiry, no event of it can be counted any more: the aggregator refuses it.
  const expired = await listExpiredCaptures(tx, accountIds, watermarkMs);
  const months = await readSettledMonths(tx, accountIds);
  const sums = createUsageSums();
  const unsummed = query.accounts.map(({ accountId, wished = [], wishedLines = [] }) => {
    const lastOfAccount = last.get(accountId);
    if (lastOfAccount === undefined) throw new Error('each account has a last settlement');
    const account = {
      accountId,
      wished,
      wishedLines,
      lines: lines.get(accountId) ?? [],
      nowMs,
      watermarkMs,
      ...lastOfAccount,
      caps: caps.get(accountId) ?? [],
      prices: prices.filter(({ toolId }) => tools.get(accountId)?.has(toolId)),
      newlyCapped: passes.newlyCapped,
      events: events.get(accountId) ?? [],
      settledMonths: new Map(months.get(accountId)),
      expired: expired.get(accountId) ?? [],
    };
    return { account, readUsage: askForUsage(sums, account, passes) };
  });
  await sums.read(tx);
  return unsummed.map(({ account, readUsage }) => ({ ...account, ...readUsage() }));
}

type UsageFacts = Pick<SettlementFacts, 'usage' | 'usageBefore' | 'usageWithout' | 'periods'>;

/** Returns what reads the answers, once the sums are there. */
function askForUsage(
  sums: UsageSums,
  account: Omit<SettlementFacts, keyof UsageFacts>,
  of: CappedPasses,
): () => UsageFacts {
  const { accountId, wished, caps, prices } = account;
  const ask = (span: { readonly fromMs: number; readonly toMs: number }) => sums.ask({ accountId, prices, ...span });
  const askMonths = (periods: readonly string[], without?: PassSpan) =>
    periods.map((period) => {
      const { start: fromMs, end: toMs } = periodBounds(period);
      return sums.ask({ accountId, prices, fromMs, toMs, without });
    });

  const ofPasses = passSpansOf(account, of).map((span) => {
    const periods = periodsOf(span);
    return { key: span.key, periods, answers: askMonths(periods, span) };
  });
  const months = [
    ...new Set([
      ...monthsOf(account),
      ...account.lines.filter(({ inFlight }) => !isNothing(inFlight)).map(({ period }) => period),
      ...account.wishedLines.map(({ period }) => period),
      ...ofPasses.flatMap(({ periods }) => periods),
    ]),
  ].sort();
  const answers = isFirstOfBalance(wished, caps)
    ? [ask({ fromMs: 0, toMs: months.length === 0 ? 0 : periodBounds(months.at(-1) ?? '').end })]
    : askMonths(months);
  const ofDays = wished
    .filter(({ scope }) => scope === 'account')
    .map(({ startMs: toMs }) => ({ toMs, answer: ask({ fromMs: periodBounds(periodOf(toMs)).start, toMs }) }));

  return () => {
    const usage = answers.flatMap((answer) => answer());
    return {
      usage,
      periods: [...new Set([...months, ...usage.map(({ period }) => period)])].sort(),
      usageBefore: new Map(ofDays.map(({ toMs, answer }) => [toMs, answer()])),
      usageWithout: new Map(
        ofPasses.map(({ key, periods, answers: of }) => [key, { periods, usage: of.flatMap((answer) => answer()) }]),
      ),
    };
  };
}

/** The months that the present, events and caps of the account lie in. */
function monthsOf({
  nowMs,
  watermarkMs,
  events,
  caps,
  wished,
}: Pick<SettlementFacts, 'nowMs' | 'watermarkMs' | 'events' | 'caps' | 'wished'>): string[] {
  const isLive = ({ endMs }: CapState): boolean => endMs > watermarkMs - 2 * dayMs;
  const moments = [
    nowMs,
    ...events.map((event) => event.occurredAtMs),
    ...[...caps.filter(isLive), ...wished].filter(({ scope }) => scope === 'account').map(({ startMs }) => startMs),
    ...(caps.some(({ scope }) => scope === 'balance') ? [nowMs - dayMs] : []), // a call may be dated a day back
  ];
  return moments.filter(Number.isFinite).map(periodOf);
}

/** Then all months are read that have usage. */
function isFirstOfBalance(wished: readonly CapWish[], caps: readonly CapState[]): boolean {
  const known = new Set(caps.map(capKeyOf));
  return wished.some((cap) => cap.scope === 'balance' && !known.has(capKeyOf(cap)));
}

interface CappedPasses {
  readonly newlyCapped: ReadonlySet<string>;
  /** The passes that are newly capped, or whose caps get rows. */
  readonly found: ReadonlyMap<string, CappedPass>;
}

async function readCappedPasses(
  tx: Transaction,
  { accounts, watermarkMs }: FactsQuery,
  caps: ReadonlyMap<string, readonly CapState[]>,
): Promise<CappedPasses> {
  const accountIds = accounts.map(({ accountId }) => accountId);
  const newly = await listNewlyCapped(tx, accountIds, watermarkMs);
  const newlyCapped = new Set(newly.map(({ passId }) => passId));
  const wanted = accounts.flatMap(({ accountId, wished = [] }) =>
    capsOfPasses(wished, caps.get(accountId) ?? [], newlyCapped),
  );
  const found = await findCappedPasses(tx, accountIds, [...new Set(wanted.map(({ ownerId }) => ownerId))]);
  return { newlyCapped, found: new Map(found.map((pass) => [pass.passId, pass])) };
}

function capsOfPasses(
  wished: readonly CapWish[],
  caps: readonly CapState[],
  newlyCapped: ReadonlySet<string>,
): CapWish[] {
  return [...wished, ...caps.filter(({ ownerId }) => newlyCapped.has(ownerId))].filter(({ scope }) => scope === 'pass');
}

interface PassSpan {
  readonly key: string;
  readonly passId: string;
  readonly withParts: boolean;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The windows of passes whose spending is taken from the rollups: those without a row, and those of new caps. */
function passSpansOf(
  { wished, caps, nowMs }: Pick<SettlementFacts, 'wished' | 'caps' | 'nowMs'>,
  { newlyCapped, found }: CappedPasses,
): PassSpan[] {
  return capsOfPasses(wished, caps, newlyCapped).flatMap((cap): PassSpan[] => {
    const pass = found.get(cap.ownerId);
    if (pass === undefined) return [];
    // A call may be dated a day back. A hold may end a day from now, and its gateway's clock may be ahead of ours.
    const fromMs = Math.max(cap.startMs, hourOf(pass.createdAtMs) - dayMs);
    const toMs = Math.min(cap.endMs, hourOf(nowMs) + 2 * dayMs);
    const { passId, hasParts: withParts } = pass;
    return fromMs < toMs ? [{ key: capKeyOf(cap), passId, withParts, fromMs, toMs }] : [];
  });
}

function periodsOf({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): string[] {
  const periods: string[] = [];
  for (let atMs = fromMs; atMs < toMs; atMs = periodBounds(periodOf(atMs)).end) periods.push(periodOf(atMs));
  return periods;
}

export function priceAt(prices: readonly PriceSpan[], toolId: string, atMs: number): PriceSpan | undefined {
  const hour = hourOf(atMs);
  return prices.find((price) => price.toolId === toolId && price.startMs <= hour && hour < price.endMs);
}
