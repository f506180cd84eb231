import type { Transaction } from '@tollgate/database/database';
import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { boundInLine } from '@tollgate/pricing/bound-line';
import type { Tool } from '../../tools/tool.ts';
import type { BoundedCall } from '../deciding/bound-call.ts';
import type { LineChanges } from './change-lines.ts';
import { settledCallsOf, type Hold } from '../authorizations/hold.ts';
import type { WishedLine } from '../deciding/call-lines.ts';
import { addCalls, isNothing, lineKeyOf, linesOf, toLineQuantities, withQuantities } from './lines.ts';
import { lockLines, ownLineKeyOf } from './sql-line.ts';

export interface MovedLines extends Pick<LineChanges, 'before' | 'after'> {
  readonly kind: 'moved';
  readonly lineKeys: readonly string[];
  /** Whether a line holds more. */
  readonly isMore: boolean;
  /** The most that each call can come to in them. */
  readonly inLineMicros: Micros;
}

export interface MoveLines {
  readonly hold: Hold;
  /** With what its calls may have more, until it ends. */
  readonly wanted: Hold;
  readonly tool: Tool;
}

const unmoved: MovedLines = {
  kind: 'moved',
  before: [],
  after: [],
  isMore: false,
  lineKeys: [],
  inLineMicros: zeroMicros,
};

/**
 * The lines of a hold as they are if its calls may have more, or may come later. A price version that came meanwhile adds a line,
 * and so does another month. A hold outside of lines stays there.
 */
export async function moveLines(
  tx: Transaction,
  { hold, wanted, tool }: MoveLines,
): Promise<MovedLines | { readonly kind: 'no_row'; readonly wishedLines: readonly WishedLine[] }> {
  if (hold.lineKeys.length === 0) return unmoved;
  const wished = linesOf(tool, { ...callOf(wanted), kind: 'one' });
  if (wished === undefined) throw new Error(`the lines of the hold ${hold.holdId} are of another price`);
  const { accountId } = hold;
  const before = await lockLines(
    tx,
    wished.each.map((line) => ({ accountId, ...line })),
  );
  if (before.length < wished.each.length) return { kind: 'no_row', wishedLines: wished.each };
  const prices = new Map(wished.each.map((line) => [ownLineKeyOf({ accountId, ...line }), line.price]));
  const calls = hold.callCount - settledCallsOf(hold);
  const moved = before.map((line) => {
    const price = prices.get(ownLineKeyOf(line));
    if (price === undefined) throw new Error('a line without its price');
    const isIn = hold.lineKeys.includes(lineKeyOf(line));
    const others = isIn ? addCalls(line.inFlight, toLineQuantities(hold.max), -calls) : line.inFlight;
    const alone = isNothing(others) && hold.callCount === 1 ? 'one' : null;
    const inFlight = addCalls(others, wished.call, calls);
    const lastEndMs = Math.max(line.lastEndMs, wanted.expiresAtMs);
    const after = withQuantities({ ...line, lastEndMs }, price, { inFlight, alone });
    const isMore = after.heldMicros > line.heldMicros;
    return { after, isMore, eachMicros: boundInLine(price, after, wished.call) };
  });
  return {
    kind: 'moved',
    before,
    after: moved.map(({ after }) => after),
    isMore: moved.some(({ isMore }) => isMore),
    lineKeys: [...new Set([...hold.lineKeys, ...before.map(lineKeyOf)])],
    inLineMicros: micros(moved.reduce((most, { eachMicros }) => (eachMicros > most ? eachMicros : most), 0n)),
  };
}

/** A call of the hold, as far as it is known. */
export function callOf({ accountId: consumerId, max, askedAtMs: fromMs, expiresAtMs: toMs }: Hold): BoundedCall {
  return { consumerId, max, success: true, fromMs, toMs };
}
