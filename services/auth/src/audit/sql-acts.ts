import type { AuditAction, AuditActor } from '@tollgate/contracts/operator/audit';
import type { Queryable, Transaction } from '@tollgate/database/database';
import type { PageStart } from '@tollgate/runtime/http/lists/page-position';

export interface OwnActRow {
  readonly act_id: bigint;
  readonly occurred_at: Date;
  readonly action: AuditAction;
  readonly result: 'done' | 'refused';
  readonly actor: AuditActor;
  readonly credential_id: string | null;
  readonly address: string | null;
  readonly request_id: string | null;
  readonly object_kind: string;
  readonly object_id: string | null;
}

export interface ActRow extends OwnActRow {
  readonly account_id: string | null;
  readonly actor_account_id: string | null;
  readonly operator_name: string | null;
  readonly detail: Record<string, string | number | boolean>;
}

export interface ActFilter extends PageStart {
  readonly action: AuditAction | undefined;
  /** Half-open, in milliseconds since the epoch. */
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  /** A page has one row more than asked, which shows that there is another. */
  readonly limit: number;
}

const page = `($1::text is null or action = $1)
  and ($2::timestamptz is null or occurred_at >= $2)
  and ($3::timestamptz is null or occurred_at < $3)
  and ($4::timestamptz is null or (occurred_at, act_id) < ($4, $5::bigint))`;
const order = 'order by occurred_at desc, act_id desc limit $6';
const ownColumns =
  'act_id, occurred_at, action, result, actor, credential_id, address, request_id, object_kind, object_id';

const listOwn = {
  name: 'audit.list_own_acts',
  text: `select ${ownColumns} from audit.own_act_v1 where ${page} ${order}`,
};

/** The acts that concern the account of the transaction. */
export function listOwnActs(tx: Transaction, filter: ActFilter): Promise<OwnActRow[]> {
  return tx.query<OwnActRow>(listOwn, valuesOf(filter));
}

const listAll = {
  name: 'audit.list_acts',
  text: `select ${ownColumns}, account_id, actor_account_id, operator_name, detail from audit.act
where ($7::uuid is null or account_id = $7) and ${page} ${order}`,
};

/** Needs auth_worker, which sees every act. */
export function listActs(worker: Queryable, filter: ActFilter & { accountId: string | undefined }): Promise<ActRow[]> {
  return worker.query<ActRow>(listAll, [...valuesOf(filter), filter.accountId ?? null]);
}

function valuesOf({ action, fromMs, toMs, after, limit }: ActFilter): readonly unknown[] {
  const time = (ms: number | undefined): Date | null => (ms === undefined ? null : new Date(ms));
  return [action ?? null, time(fromMs), time(toMs), time(after?.createdAtMs), after?.id ?? null, limit + 1];
}
