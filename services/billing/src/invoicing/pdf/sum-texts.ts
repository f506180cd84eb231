import { micros, sumMicros } from '@tollgate/kernel/money';
import type { Invoice } from '../invoice.ts';
import type { ToolSum } from '../sql-sum-by-tool.ts';
import { formatAmount, formatQuantity } from './format-amount.ts';
import { formatPeriod } from './format-dates.ts';
import { nameTool, type LineText } from './line-text.ts';

type Sum = Omit<ToolSum, 'toolId'> & { readonly toolId: string | null };

/** Adds the sum of the tools that have no row of their own, so that the rows add up to the charges. */
export function withOthers(sums: readonly ToolSum[], { lineCount, chargeMicros }: Invoice): Sum[] {
  const lines = lineCount - sums.reduce((total, sum) => total + sum.lines, 0);
  if (lines === 0) return [...sums];
  const own = sumMicros(sums.map((sum) => sum.chargeMicros));
  return [...sums, { toolId: null, adjustmentOf: null, lines, chargeMicros: micros(chargeMicros - own) }];
}

interface SumContext {
  readonly decimals: number;
  readonly toolNames: ReadonlyMap<string, string>;
}

export function toSumText({ toolId, adjustmentOf, lines, chargeMicros }: Sum, context: SumContext): LineText {
  const { decimals, toolNames } = context;
  return {
    ...(toolId === null ? { tool: 'All other tools', toolDetail: '' } : nameTool(toolId, toolNames)),
    charge: nameCount(lines),
    details: adjustmentOf === null ? [] : [`Adjustment for ${formatPeriod(adjustmentOf)}`],
    quantity: '',
    amount: formatAmount(chargeMicros, decimals),
  };
}

export function summedNote({ id, lineCount }: Invoice): string {
  return `The ${nameCount(lineCount)} of this invoice are added up by tool. All of them: GET /v1/billing/invoices/${id}/lines.`;
}

function nameCount(lines: number): string {
  return lines === 1 ? '1 line' : `${formatQuantity(String(lines))} lines`;
}
