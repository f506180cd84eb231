import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import type { ApiClosure } from '@tollgate/contracts/accounts/closure';
import type { PageStart } from '@tollgate/runtime/http/lists/page-position';

export type ErasureReason = ApiClosure['waits_for'][number];

/** A closed account. Times are epoch milliseconds, by the clock of the services. */
export interface Erasure {
  readonly accountId: string;
  readonly closedAtMs: number;
  readonly waitsFor: readonly ErasureReason[];
  /** Null: nobody has looked yet. */
  readonly lookedAtMs: number | null;
  /** Null: it waits. */
  readonly erasedAtMs: number | null;
}

interface Row {
  readonly account_id: string;
  readonly closed_at: Date;
  readonly waits_for: ErasureReason[];
  readonly looked_at: Date | null;
  readonly erased_at: Date | null;
}

const columns = 'account_id, closed_at, waits_for, looked_at, erased_at';

const list = {
  name: 'auth.list_erasures',
  text: `select ${columns} from auth.erasure where $1::timestamptz is null or (closed_at, account_id) < ($1, $2::uuid)
order by closed_at desc, account_id desc limit $3`,
};
const count = { name: 'auth.count_erasures', text: 'select count(*)::int as total from auth.erasure' };

/** Newest first, and one more if there is another page. */
export async function listErasures(
  worker: Queryable,
  { after, limit }: PageStart & { readonly limit: number },
): Promise<{ readonly rows: readonly Erasure[]; readonly total: number }> {
  const from = after === undefined ? null : new Date(after.createdAtMs);
  const rows = await worker.query<Row>(list, [from, after?.id ?? null, limit + 1]);
  return { rows: rows.map(fromRow), total: onlyRow(await worker.query<{ total: number }>(count)).total };
}

const find = { name: 'auth.find_erasure', text: `select ${columns} from auth.erasure where account_id = $1` };

export async function findErasure(worker: Queryable, accountId: string): Promise<Erasure> {
  return fromRow(onlyRow(await worker.query<Row>(find, [accountId])));
}

const listWaiting = {
  name: 'auth.list_waiting_erasures',
  text: `select ${columns} from auth.erasure where erased_at is null order by looked_at nulls first, account_id limit $1`,
};

/** Lists those first that nobody has looked at for longest. */
export async function listWaitingErasures(worker: Queryable, limit: number): Promise<Erasure[]> {
  return (await worker.query<Row>(listWaiting, [limit])).map(fromRow);
}

const look = {
  name: 'auth.look_at_erasure',
  text: `update auth.erasure set looked_at = $2,
  waits_for = coalesce(gate.erasure_waits_for(account_id) || billing.erasure_waits_for(account_id, closed_at), '{}')
where account_id = $1 returning waits_for`,
};

/** Asks the schemas what the erasure waits for, and writes it down. */
export async function lookAtErasure(worker: Queryable, accountId: string, nowMs: number): Promise<ErasureReason[]> {
  const values = [accountId, new Date(nowMs)];
  return onlyRow(await worker.query<{ waits_for: ErasureReason[] }>(look, values)).waits_for;
}

const eraseCallsText = {
  name: 'auth.erase_calls',
  text: 'select usage.erase_calls($1, $2) as next_at',
};

/** Erases an hour of calls. Returns where the next one begins; undefined after the last. */
export async function eraseCalls(worker: Queryable, accountId: string, fromAt: Date): Promise<Date | undefined> {
  const { next_at: next } = onlyRow(await worker.query<{ next_at: Date | null }>(eraseCallsText, [accountId, fromAt]));
  return next ?? undefined;
}

/** The schemas whose step `erase_account` replaces what is personal. The notifier's comes last: it takes what others tell. */
export const erasedSchemas = ['gate', 'usage', 'billing', 'sandbox', 'auth', 'notify'] as const;

export async function eraseIn(
  worker: Queryable,
  schema: (typeof erasedSchemas)[number],
  accountId: string,
): Promise<void> {
  await worker.query({ name: `auth.erase_in_${schema}`, text: `select ${schema}.erase_account($1)` }, [accountId]);
}

const mark = {
  name: 'auth.mark_erased',
  text: 'update auth.erasure set erased_at = $2 where account_id = $1 and erased_at is null returning account_id',
};

/** False if somebody else has marked it. */
export async function markErased(tx: Transaction, accountId: string, atMs: number): Promise<boolean> {
  return (await tx.query(mark, [accountId, new Date(atMs)])).length === 1;
}

function fromRow({ account_id, closed_at, waits_for, looked_at, erased_at }: Row): Erasure {
  return {
    accountId: account_id,
    closedAtMs: closed_at.getTime(),
    waitsFor: waits_for,
    lookedAtMs: looked_at?.getTime() ?? null,
    erasedAtMs: erased_at?.getTime() ?? null,
  };
}
