import type { Price } from '@tollgate/contracts/tools/price';
import type { Queryable, Transaction } from '@tollgate/database/database';
import { micros, type Micros } from '@tollgate/kernel/money';

/** A tool that names a resource: calls of it are made there, and paid to its builder. */
export interface ResourceTool {
  readonly toolId: string;
  readonly name: string;
  readonly price: Price;
  /** The public name of its builder. Undefined: it has none. */
  readonly soldBy: string | undefined;
}

const read = {
  name: 'billing.read_tools_of_resource',
  text: `select t.tool_id, t.name, p.price, s.public_name
from billing.tool_of_resource_v1 t
left join auth.seller_v1 s on s.account_id = t.owner_id
join billing.tool_price_v1 p on p.tool_id = t.tool_id and p.effective_from <= $2 and p.effective_to > $2
where t.resource = $1 order by t.tool_id limit 100`,
};

/** With the prices of now; a hundred at most, as many as a pass may name. */
export async function readToolsOfResource(worker: Queryable, resource: string, nowMs: number): Promise<ResourceTool[]> {
  const rows = await worker.query<ToolRow>(read, [resource, new Date(nowMs)]);
  return rows.map((row) => ({
    toolId: row.tool_id,
    name: row.name,
    price: row.price,
    soldBy: row.public_name ?? undefined,
  }));
}

interface ToolRow {
  readonly tool_id: string;
  readonly name: string;
  readonly price: Price;
  readonly public_name: string | null;
}

export interface OwnBudget {
  readonly amountMicros: Micros;
  readonly window: 'day' | 'month';
}

const budget = { name: 'gate.read_own_budget', text: 'select amount_micros, window_kind from gate.own_budget_v1' };

const means = { name: 'billing.has_own_means', text: 'select billing.has_own_means_v1($1) as has_means' };

/** Whether the transaction's account has a card, or a balance or credit left. */
export async function hasOwnMeans(tx: Transaction, nowMs: number): Promise<boolean> {
  const [row] = await tx.query<{ has_means: boolean }>(means, [new Date(nowMs)]);
  return row?.has_means === true;
}

/** The budget of the transaction's account. */
export async function readOwnBudget(tx: Transaction): Promise<OwnBudget | undefined> {
  const [row] = await tx.query<{ amount_micros: bigint; window_kind: OwnBudget['window'] }>(budget);
  return row && { amountMicros: micros(row.amount_micros), window: row.window_kind };
}
