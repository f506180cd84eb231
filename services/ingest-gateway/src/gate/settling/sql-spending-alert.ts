import { onlyRow, type Queryable } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { micros, type Micros } from '@tollgate/kernel/money';
import type { PagePosition } from '@tollgate/runtime/http/lists/page-position';

/** A part of a cap or all of it was spent, a balance fell below a threshold, or an automatic top-up failed or has no room in its month. */
type AlertType =
  | 'spending.threshold_reached'
  | 'spending.limit_reached'
  | 'balance.low'
  | 'auto_top_up.failed'
  | 'auto_top_up.limit_reached';

export interface SpendingAlert {
  readonly id: string;
  readonly type: AlertType;
  readonly accountId: string;
  readonly scope: 'account' | 'pass' | 'balance' | 'auto_top_up';
  readonly ownerId: string;
  readonly windowStartMs: number;
  readonly percent: number;
  /** The threshold of a balance. */
  readonly belowMicros: Micros | null;
  readonly capMicros: Micros;
  readonly spentMicros: Micros;
  /** The reason why an automatic top-up failed. */
  readonly failureCode: string | null;
  readonly raisedAtMs: number;
}

export interface AlertQuery {
  /** Null: of all accounts. */
  readonly accountId: string | null;
  readonly limit: number;
  readonly after?: PagePosition;
}

interface AlertRow {
  readonly alert_id: string;
  readonly type: AlertType;
  readonly account_id: string;
  readonly scope: SpendingAlert['scope'];
  readonly owner_id: string;
  readonly window_start: Date;
  readonly percent: number;
  readonly cap_micros: bigint;
  readonly spent_micros: bigint;
  readonly failure_code: string | null;
  readonly below_micros: bigint | null;
  readonly raised_at: Date;
}

const ofAccount = '($1::uuid is null or account_id = $1)';
const pageText = `select * from gate.raised_alert where ${ofAccount} and ($2::timestamptz is null or (raised_at, alert_id) < ($2, $3::uuid))
  order by raised_at desc, alert_id desc limit $4`;
const totalText = `select count(*)::int as total from gate.raised_alert where ${ofAccount}`;

/** Newest first by (raised_at, id), with one row more than `limit` where there is another page. */
export async function listSpendingAlerts(
  db: Queryable,
  { accountId, limit, after }: AlertQuery,
): Promise<{ readonly rows: SpendingAlert[]; readonly total: number }> {
  const values = [accountId, after ? toIso(after.createdAtMs) : null, after?.id ?? null, limit + 1];
  const rows = await db.query<AlertRow>({ name: 'gate.list_spending_alerts', text: pageText }, values);
  const statement = { name: 'gate.count_spending_alerts', text: totalText };
  const { total } = onlyRow(await db.query<{ total: number }>(statement, [accountId]));
  return { rows: rows.map(fromAlertRow), total };
}

function fromAlertRow(row: AlertRow): SpendingAlert {
  return {
    id: row.alert_id,
    type: row.type,
    accountId: row.account_id,
    scope: row.scope,
    ownerId: row.owner_id,
    windowStartMs: row.window_start.getTime(),
    percent: row.percent,
    belowMicros: row.below_micros === null ? null : micros(row.below_micros),
    capMicros: micros(row.cap_micros),
    spentMicros: micros(row.spent_micros),
    failureCode: row.failure_code,
    raisedAtMs: row.raised_at.getTime(),
  };
}
