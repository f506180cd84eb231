import type { Queryable, Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { micros } from '@tollgate/kernel/money';
import type { Approval, Missing, OfferedApproval } from './approval.ts';

interface ApprovalRow {
  readonly approval_id: string;
  readonly pass_id: string;
  readonly tool_id: string;
  readonly state: Approval['state'];
  readonly call_micros: bigint;
  readonly beyond_micros: bigint;
  readonly expires_at: Date;
}

const columns = 'approval_id, pass_id, tool_id, state, call_micros, beyond_micros, expires_at';

/** The pass and the tool that an approval is for. */
export interface ApprovalOf {
  readonly passId: string;
  readonly toolId: string;
}

const findText = `select ${columns} from gate.approval
  where pass_id = $1 and tool_id = $2 and state <> 'used' and expires_at > $3 order by created_at, approval_id`;

/** Finds those that have not ended, the oldest first. */
export async function findApprovals(db: Queryable, { passId, toolId }: ApprovalOf, nowMs: number): Promise<Approval[]> {
  const statement = { name: 'gate.find_approvals', text: findText };
  return (await db.query<ApprovalRow>(statement, [passId, toolId, toIso(nowMs)])).map(fromRow);
}

export interface NewApproval extends ApprovalOf, Missing, OfferedApproval {
  readonly accountId: string;
  readonly callCount: number;
  readonly createdAtMs: number;
}

// The place of one that nobody answered in time is free.
const offerText = `insert into gate.approval as a
    (approval_id, account_id, pass_id, tool_id, call_count, call_micros, beyond_micros, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (pass_id, tool_id) where state = 'open' do update set
    (approval_id, call_count, call_micros, beyond_micros, created_at, expires_at) =
    (excluded.approval_id, excluded.call_count, excluded.call_micros, excluded.beyond_micros, excluded.created_at, excluded.expires_at)
    where a.expires_at <= excluded.created_at
  returning approval_id`;

/** False: another one of its pass and tool waits for an answer. */
export async function offerApproval(db: Queryable, approval: NewApproval): Promise<boolean> {
  const { approvalId, accountId, passId, toolId, callCount, callMicros, beyondMicros } = approval;
  const amounts = [callCount, callMicros.toString(), beyondMicros.toString()];
  const times = [toIso(approval.createdAtMs), toIso(approval.expiresAtMs)];
  const statement = { name: 'gate.offer_approval', text: offerText };
  return (await db.query(statement, [approvalId, accountId, passId, toolId, ...amounts, ...times])).length === 1;
}

const lockText = `select ${columns} from gate.approval where approval_id = any ($1::uuid[]) order by approval_id for update`;

/** Locks them until the transaction ends: each is used once, at however many gateways. */
export async function lockApprovals(tx: Transaction, approvalIds: readonly string[]): Promise<Approval[]> {
  if (approvalIds.length === 0) return [];
  return (await tx.query<ApprovalRow>({ name: 'gate.lock_approvals', text: lockText }, [approvalIds])).map(fromRow);
}

const useText = `update gate.approval a set state = 'used', hold_id = u.hold_id, used_in = pg_current_xact_id()
  from unnest($1::uuid[], $2::uuid[]) as u (approval_id, hold_id) where a.approval_id = u.approval_id`;

export interface ApprovalUse {
  readonly approvalId: string;
  readonly holdId: string;
}

/** The caller has locked them, and stores the holds in the same transaction: it alone may exceed the caps of their passes. */
export async function applyApprovals(tx: Transaction, uses: readonly ApprovalUse[]): Promise<void> {
  if (uses.length === 0) return;
  const values = [uses.map(({ approvalId }) => approvalId), uses.map(({ holdId }) => holdId)];
  await tx.query({ name: 'gate.use_approvals', text: useText }, values);
}

const dropText = `delete from gate.approval where approval_id in
  (select approval_id from gate.approval where expires_at < $1 order by expires_at limit $2)`;

export async function dropEndedApprovals(
  db: Queryable,
  { beforeMs, max }: { readonly beforeMs: number; readonly max: number },
): Promise<void> {
  await db.query({ name: 'gate.drop_ended_approvals', text: dropText }, [toIso(beforeMs), max]);
}

function fromRow(row: ApprovalRow): Approval {
  return {
    approvalId: row.approval_id,
    passId: row.pass_id,
    toolId: row.tool_id,
    state: row.state,
    callMicros: micros(row.call_micros),
    beyondMicros: micros(row.beyond_micros),
    expiresAtMs: row.expires_at.getTime(),
  };
}
