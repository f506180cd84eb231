import type { Price } from '@tollgate/contracts/tools/price';
import type { Queryable, Transaction } from '@tollgate/database/database';
import { micros, type Micros } from '@tollgate/kernel/money';

/** A tool that names a resource: calls of it are made there, and paid to its builder. */
export interface ResourceTool {
  readonly toolId: string;
  readonly name: string;
  readonly price: Price;
}

const read = {
  name: 'billing.read_tools_of_resource',
  text: `select t.tool_id, t.name, p.price
from billing.tool_of_resource_v1 t
join billing.tool_price_v1 p on p.tool_id = t.tool_id and p.effective_from <= $2 and p.effective_to > $2
where t.resource = $1 order by t.tool_id limit 100`,
};

/** With the prices of now; a hundred at most, as many as a pass may name. */
export async function readToolsOfResource(worker: Queryable, resource: string, nowMs: number): Promise<ResourceTool[]> {
  const rows = await worker.query<{ tool_id: string; name: string; price: Price }>(read, [resource, new Date(nowMs)]);
  return rows.map((row) => ({ toolId: row.tool_id, name: row.name, price: row.price }));
}

export interface OwnBudget {
  readonly amountMicros: Micros;
  readonly window: 'day' | 'month';
}

const budget = { name: 'gate.read_own_budget', text: 'select amount_micros, window_kind from gate.own_budget_v1' };

/** The budget of the transaction's account. */
export async function readOwnBudget(tx: Transaction): Promise<OwnBudget | undefined> {
  const [row] = await tx.query<{ amount_micros: bigint; window_kind: OwnBudget['window'] }>(budget);
  return row && { amountMicros: micros(row.amount_micros), window: row.window_kind };
}
