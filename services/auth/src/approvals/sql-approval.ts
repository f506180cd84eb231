import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import { micros, type Micros } from '@tollgate/kernel/money';
import type { PagePosition } from '@tollgate/runtime/http/lists/page-position';

/** A call that the limits of a pass refused, as the owner of the pass sees it. */
export interface Approval {
  readonly approvalId: string;
  readonly state: 'open' | 'approved' | 'refused' | 'used';
  readonly passId: string;
  readonly passName: string;
  readonly toolId: string;
  readonly callCount: number;
  /** The most that its calls may come to. */
  readonly callMicros: Micros;
  /** The part of it that the cap of the pass had no room for. */
  readonly beyondMicros: Micros;
  /** As it stands now; undefined for a pass without one. */
  readonly cap: ApprovalCap | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface ApprovalCap {
  readonly amountMicros: Micros;
  readonly window: 'day' | 'month' | 'total';
  readonly spentMicros: Micros;
  readonly heldMicros: Micros;
}

interface Row {
  approval_id: string;
  state: Approval['state'];
  pass_id: string;
  name: string;
  tool_id: string;
  call_count: number;
  call_micros: bigint;
  beyond_micros: bigint;
  cap_micros: bigint | null;
  cap_window: ApprovalCap['window'] | null;
  spent_micros: bigint | null;
  held_micros: bigint | null;
  created_at: Date;
  expires_at: Date;
}

// An approval ends with its pass. The policy of the table leaves out those of other accounts.
const select = `select a.approval_id, a.state, a.pass_id, p.name, a.tool_id, a.call_count, a.call_micros, a.beyond_micros, p.cap_micros,
  p.cap_window, c.spent_micros, c.held_micros, a.created_at, a.expires_at
from gate.approval a join gate.own_pass_v1 p using (pass_id)
left join gate.own_pass_spending_v1 c on c.pass_id = a.pass_id and c.window_start <= $1 and c.window_end > $1
where (p.expires_at is null or p.expires_at > $1)`;

const find = { name: 'auth.find_approval', text: `${select} and a.approval_id = $2` };

/** Undefined for an id that is unknown, or another account's, and where its pass has ended. */
export async function findApproval(tx: Transaction, approvalId: string, nowMs: number): Promise<Approval | undefined> {
  const [row] = await tx.query<Row>(find, [new Date(nowMs), approvalId]);
  return row && fromRow(row);
}

const isWaiting = `a.state = 'open' and a.expires_at > $1`;
const list = {
  name: 'auth.list_approvals',
  text: `${select} and ${isWaiting} and ($2::timestamptz is null or (a.created_at, a.approval_id) < ($2, $3::uuid))
order by a.created_at desc, a.approval_id desc limit $4`,
};

export interface ApprovalQuery {
  readonly after?: PagePosition;
  readonly limit: number;
  readonly nowMs: number;
}

/** Lists those that wait for an answer, newest first. */
export async function listApprovals(tx: Transaction, { after, limit, nowMs }: ApprovalQuery): Promise<Approval[]> {
  const position = [after === undefined ? null : new Date(after.createdAtMs), after?.id ?? null];
  return (await tx.query<Row>(list, [new Date(nowMs), ...position, limit])).map(fromRow);
}

const count = {
  name: 'auth.count_approvals',
  text: `select count(*)::int as waiting from gate.approval a join gate.own_pass_v1 p using (pass_id)
where (p.expires_at is null or p.expires_at > $1) and ${isWaiting}`,
};

export async function countApprovals(db: Queryable, nowMs: number): Promise<number> {
  return onlyRow(await db.query<{ waiting: number }>(count, [new Date(nowMs)])).waiting;
}

const answer = {
  name: 'auth.answer_approval',
  text: `update gate.approval a set state = $3, expires_at = coalesce($4, a.expires_at)
where a.approval_id = $2 and ${isWaiting} returning a.approval_id`,
};

export interface ApprovalAnswer {
  readonly approvalId: string;
  readonly state: 'approved' | 'refused';
  readonly answeredAt: number;
  /** Undefined: it ends when it would have ended without an answer. */
  readonly expiresAt: number | undefined;
}

/** False for one that is answered or has expired. Of racing callers one gets true. */
export async function putAnswer(tx: Transaction, given: ApprovalAnswer): Promise<boolean> {
  const { approvalId, state, answeredAt, expiresAt } = given;
  const values = [new Date(answeredAt), approvalId, state, expiresAt === undefined ? null : new Date(expiresAt)];
  return (await tx.query(answer, values)).length === 1;
}

function fromRow(row: Row): Approval {
  const { cap_micros: amount, cap_window: window } = row;
  return {
    approvalId: row.approval_id,
    state: row.state,
    passId: row.pass_id,
    passName: row.name,
    toolId: row.tool_id,
    callCount: row.call_count,
    callMicros: micros(row.call_micros),
    beyondMicros: micros(row.beyond_micros),
    cap:
      amount === null || window === null
        ? undefined
        : {
            amountMicros: micros(amount),
            window,
            spentMicros: micros(row.spent_micros ?? 0n),
            heldMicros: micros(row.held_micros ?? 0n),
          },
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at.getTime(),
  };
}
