import type { Queryable, Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { micros, type Micros } from '@tollgate/kernel/money';
import type { WindowKind } from '../../passes/spending-window.ts';

export interface Budget {
  readonly accountId: string;
  /** Null: the account has no budget any more. */
  readonly amountMicros: Micros | null;
  readonly window: WindowKind;
  /** Percents of the amount, ascending. */
  readonly alerts: readonly number[];
  readonly changedAtMs: number;
  readonly changedSeq: bigint;
}

interface BudgetRow {
  readonly account_id: string;
  readonly amount_micros: bigint | null;
  readonly window_kind: WindowKind;
  readonly alerts: number[];
  readonly changed_at: Date;
  readonly changed_seq: bigint;
}

const columns = 'account_id, amount_micros, window_kind, alerts, changed_at, changed_seq';

const changedText = `select ${columns} from gate.budget where changed_seq > $1::bigint order by changed_seq`;

/** Uses the index on changed_seq. */
export async function readChangedBudgets(db: Queryable, afterSeq: bigint): Promise<Budget[]> {
  const rows = await db.query<BudgetRow>({ name: 'gate.read_changed_budgets', text: changedText }, [
    afterSeq.toString(),
  ]);
  return rows.map(fromBudgetRow);
}

const findText = `select ${columns} from gate.budget where account_id = $1`;

export async function findBudget(db: Queryable, accountId: string): Promise<Budget | undefined> {
  const [row] = await db.query<BudgetRow>({ name: 'gate.find_budget', text: findText }, [accountId]);
  return row && fromBudgetRow(row);
}

const putText = `insert into gate.budget (account_id, amount_micros, window_kind, alerts, changed_at)
  values ($1, $2, $3, $4, $5)
  on conflict (account_id) do update set amount_micros = excluded.amount_micros, window_kind = excluded.window_kind,
    alerts = excluded.alerts, changed_at = excluded.changed_at, changed_seq = nextval('gate.budget_seq')`;

export async function putBudget(tx: Transaction, budget: Omit<Budget, 'changedSeq'>): Promise<void> {
  const { accountId, amountMicros, window, alerts, changedAtMs } = budget;
  const values = [accountId, amountMicros?.toString() ?? null, window, alerts, toIso(changedAtMs)];
  await tx.query({ name: 'gate.put_budget', text: putText }, values);
}

const dropText = `delete from gate.cap_state where scope = 'account' and owner_id = $1
  and not (window_start = $2 and window_end = $3)`;

/** Rows of another kind of window are made anew when they are needed: meanwhile nothing keeps them right. */
export async function dropOtherWindows(
  tx: Transaction,
  accountId: string,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): Promise<void> {
  await tx.query({ name: 'gate.drop_other_windows', text: dropText }, [accountId, toIso(startMs), toIso(endMs)]);
}

const dropAllText = `delete from gate.cap_state where scope = 'account' and owner_id = $1`;

export async function dropAccountCaps(tx: Transaction, accountId: string): Promise<void> {
  await tx.query({ name: 'gate.drop_account_caps', text: dropAllText }, [accountId]);
}

const changeText = `update gate.cap_state set cap_micros = $2, alerts = $3 where scope = 'account' and owner_id = $1`;

/** The new amount counts for the next authorization at any gateway. */
export async function changeAccountCaps(tx: Transaction, { accountId, amountMicros, alerts }: Budget): Promise<void> {
  const values = [accountId, amountMicros?.toString(), alerts];
  await tx.query({ name: 'gate.change_account_caps', text: changeText }, values);
}

function fromBudgetRow(row: BudgetRow): Budget {
  return {
    accountId: row.account_id,
    amountMicros: row.amount_micros === null ? null : micros(row.amount_micros),
    window: row.window_kind,
    alerts: row.alerts,
    changedAtMs: row.changed_at.getTime(),
    changedSeq: row.changed_seq,
  };
}
