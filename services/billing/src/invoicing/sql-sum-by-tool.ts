import { micros, type Micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';

/** The lines of an invoice for one tool and period, added up. */
export interface ToolSum {
  readonly toolId: string;
  /** The earlier period of adjustments; null for the invoice's own. */
  readonly adjustmentOf: string | null;
  readonly lines: number;
  readonly chargeMicros: Micros;
}

const text = `
select tool_id, adjustment_of, count(*)::int as lines, sum(charge_micros) as charge_micros
from billing.invoice_line where invoice_id = $1
group by tool_id, adjustment_of
order by sum(charge_micros) desc, tool_id, adjustment_of nulls first limit $2`;

/** Adds up the lines of an invoice by tool. Returns the `limit` highest sums, the highest first. */
export async function sumLinesByTool(tx: Transaction, invoiceId: string, limit: number): Promise<ToolSum[]> {
  const rows = await tx.query<DbToolSum>({ name: 'billing.sum_lines_by_tool', text }, [invoiceId, limit]);
  return rows.map((row) => ({
    toolId: row.tool_id,
    adjustmentOf: row.adjustment_of,
    lines: row.lines,
    chargeMicros: micros(BigInt(row.charge_micros)),
  }));
}

interface DbToolSum {
  readonly tool_id: string;
  readonly adjustment_of: string | null;
  readonly lines: number;
  readonly charge_micros: string;
}
