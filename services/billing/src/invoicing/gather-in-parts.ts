import { zeroMicros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import type { Line } from '@tollgate/pricing/line';
import { findSpans, type FactsQuery, type GatheredFacts } from './gather-invoice-facts.ts';
import { createLineSums } from './line-sums.ts';
import { outstandingInParts } from './outstanding-in-parts.ts';
import type { InvoicePlan } from './plan-invoice.ts';
import { readLastInvoice } from './sql-read-billed.ts';

export interface FactsInParts {
  /** One line stands for all lines of its month. */
  readonly facts: GatheredFacts;
  /** Puts the first lines into a plan in place of those that stand for them. */
  readonly withLines: (plan: InvoicePlan) => InvoicePlan;
}

/** Gathers the facts of one consumer part by part, and keeps at most `linesMax` lines of each month. */
export async function gatherInParts(
  tx: Transaction,
  query: FactsQuery & { readonly consumerId: string },
  linesMax: number,
): Promise<FactsInParts> {
  const { consumerId, period, minimumMicros } = query;
  const { spans, unclosed, late } = await findSpans(tx, query);
  const last = await readLastInvoice(tx, consumerId);
  const byMonth = createLineSums((line) => line.period);
  const kept: Line[] = [];
  const keptOf = (month: string) => kept.filter((line) => line.period === month);
  for await (const lines of outstandingInParts(tx, spans)) {
    byMonth.add(lines);
    const [first] = lines;
    if (first !== undefined) kept.push(...lines.slice(0, linesMax - keptOf(first.period).length));
  }
  const facts = {
    consumerId,
    period,
    minimumMicros,
    rated: byMonth.sums(),
    billed: [],
    carriedInMicros: last?.carriedOutMicros ?? zeroMicros,
    lastPeriod: last?.period ?? null,
    unclosedFrom: unclosed.get(consumerId),
    late: late.get(consumerId) ?? [],
  };
  return { facts, withLines: (plan) => expand(plan, { keptOf, linesMax }) };
}

interface Kept {
  readonly keptOf: (month: string) => readonly Line[];
  readonly linesMax: number;
}

function expand(plan: InvoicePlan, { keptOf, linesMax }: Kept): InvoicePlan {
  const lineCount = plan.lines.reduce((total, sum) => total + Number(sum.quantity), 0);
  const lines = plan.lines.flatMap((sum) => keptOf(sum.period)).slice(0, linesMax);
  return { ...plan, lines, lineCount };
}
