import type { Transaction } from '@tollgate/database/database';
import type { CountedUsage } from '@tollgate/pricing/counted-usage';
import type { LineQuantities } from '@tollgate/pricing/quantity-of';
import type { LineChanges } from './change-lines.ts';
import { addCalls, isOpen, nothing, withQuantities, type Line } from './lines.ts';
import { findCappedSince } from '../caps/open-caps.ts';
import type { SettlementFacts } from './read-settlement-facts.ts';
import { insertLines, lockLinesOf, ownLineKeyOf, putLines, sumInFlight } from './sql-line.ts';
import { putCappedSince } from './sql-settlement.ts';
import type { PriceSpan } from './sql-spent-usage.ts';

/** Each gateway knows of a new cap by then, also one whose clock is behind. */
const unheardMs = 5_000;

/**
 * Moves lines: `settled` is what the snapshot has counted, and in flight is what the holds can add that are live now. The holds
 * of the events in the snapshot are ended already. Wished lines are made. Returns them as they were and as they are.
 */
export async function settleLines(
  tx: Transaction,
  all: readonly SettlementFacts[],
): Promise<Pick<LineChanges, 'before' | 'after'>> {
  const openAt = new Map<string, number>();
  for (const facts of all) openAt.set(facts.accountId, await openAtOf(tx, facts));
  const moving = all.filter(({ lines, wishedLines }) => lines.length + wishedLines.length > 0);
  if (moving.length === 0) return { before: [], after: [] };
  const factsOf = new Map(moving.map((facts) => [facts.accountId, facts]));
  await insertLines(
    tx,
    moving.flatMap(({ accountId, wishedLines }) => wishedLines.map((line) => ({ accountId, ...line }))),
  );
  const before = await lockLinesOf(tx, [...factsOf.keys()]);
  const inFlight = await sumInFlight(tx, [...factsOf.keys()]);
  const after = before.map((line) => {
    const facts = factsOf.get(line.accountId);
    const openAtMs = openAt.get(line.accountId) ?? line.openAtMs;
    const inFlightOfLine = inFlight.get(ownLineKeyOf(line)) ?? nothing;
    return facts === undefined ? line : settled({ ...line, openAtMs }, inFlightOfLine, facts);
  });
  await putLines(
    tx,
    after.filter((line, index) => isMoved(line, before[index])),
  );
  return { before, after };
}

/** Calls of before the account's first cap may be on their way, which no line knows of. There are none before all time. */
async function openAtOf(tx: Transaction, facts: SettlementFacts): Promise<number> {
  const since = await findCappedSince(tx, facts);
  if (since !== null && since !== facts.cappedSinceMs) await putCappedSince(tx, facts.accountId, since);
  return since === null || since === 0 ? 0 : since + unheardMs;
}

function settled(line: Line, inFlight: LineQuantities, facts: SettlementFacts): Line {
  const price = facts.prices.find(({ priceId }) => priceId === line.priceId);
  if (price === undefined) return line;
  if (!facts.periods.includes(line.period)) return withQuantities(line, price.price, { inFlight });
  const counted = { ...line, countedThroughMs: facts.watermarkMs };
  return withQuantities(counted, price.price, { settled: usageOf(line, price, facts.usage), inFlight });
}

function usageOf({ period, priceId }: Line, { price }: PriceSpan, usage: readonly CountedUsage[]): LineQuantities {
  return usage
    .filter((of) => of.period === period && of.priceId === priceId && (of.success || price.bill_failed_calls))
    .reduce((sum, of) => addCalls(sum, of, 1), nothing);
}

/** A line that was open stays open: it need not know how far all is counted. */
function isMoved(line: Line, before: Line | undefined): boolean {
  if (before === undefined || !isOpen(before) || line.openAtMs !== before.openAtMs) return true;
  return (
    line.heldMicros !== before.heldMicros ||
    !isSame(line.settled, before.settled) ||
    !isSame(line.inFlight, before.inFlight)
  );
}

function isSame(left: LineQuantities, right: LineQuantities): boolean {
  const isEach = [...left.measures].every(([key, amount]) => right.measures.get(key) === amount);
  return left.calls === right.calls && left.durationMs === right.durationMs && isEach;
}
