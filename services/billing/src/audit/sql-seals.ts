import { toIso } from '@tollgate/kernel/clock';
import { type Queryable, type Transaction, onlyRow } from '@tollgate/database/database';
import { periodBounds } from '@tollgate/kernel/period';
import { usageSums } from '../usage/sql-usage-seals.ts';

/** The chains of hashes: over the transactions of the ledger, and over the invoices. */
export const chainNames = ['ledger', 'invoice'] as const;
export type ChainName = (typeof chainNames)[number];

const lockText = `select pg_advisory_xact_lock(hashtext('billing.sealing'))`;

/** Admits one sealer at a time, until its transaction ends. It waits for nobody who posts, and nobody waits for it. */
export async function lockSealing(tx: Transaction): Promise<void> {
  await tx.query({ name: 'billing.lock_sealing', text: lockText });
}

export interface ChainHead {
  /** The number of seals. */
  readonly place: bigint;
  readonly hash: Uint8Array;
}

const headText = `select place, hash from billing.seal where chain = $1 order by place desc limit 1`;

/** The last seal of a chain. Undefined if it has none. */
export async function readHead(db: Queryable, chain: ChainName): Promise<ChainHead | undefined> {
  return (await db.query<ChainHead & object>({ name: 'billing.read_chain_head', text: headText }, [chain]))[0];
}

/**
 * A transaction may commit after others with higher ids were sealed. It is found as long as it is not this far behind;
 * transactions that post last a minute at most.
 */
const lookBackRows = 100_000;

/** `content` names the function that hashes a row. */
const sources = {
  ledger: {
    table: 'billing.ledger_transaction',
    id: 'transaction_id',
    content: 'billing.content_of_posting',
  },
  invoice: {
    table: 'billing.invoice',
    id: 'number',
    content: 'billing.content_of_invoice',
  },
} as const;

const unsealedTexts = mapChains(
  ({ table, id, content }, chain) => `
with bound as materialized (
  select coalesce(max(sealed_id) - ${lookBackRows}, 0) as id from billing.seal where chain = '${chain}'
)
select r.${id} as id, ${content}(r.${id}) as content from ${table} r
where r.${id} > (select id from bound)
  and not exists (select from billing.seal s where s.chain = '${chain}' and s.sealed_id = r.${id}
                  and s.sealed_id > (select id from bound)) -- the bound again: else all seals of all time are read
order by r.${id} limit $1`,
);

export interface Unsealed {
  readonly id: bigint;
  readonly content: Uint8Array;
}

/** Reads the next rows that have no seal, with the hash of their content. */
export async function readUnsealed(tx: Transaction, chain: ChainName, limit: number): Promise<Unsealed[]> {
  return tx.query<Unsealed & object>({ name: `billing.read_unsealed_${chain}`, text: unsealedTexts[chain] }, [limit]);
}

const insertText = `
insert into billing.seal (chain, place, sealed_id, hash, sealed_at)
select $1, place, sealed_id, hash, $5 from unnest($2::bigint[], $3::bigint[], $4::bytea[]) as t (place, sealed_id, hash)`;

export interface Seal {
  readonly place: bigint;
  readonly sealedId: bigint;
  readonly hash: Uint8Array;
}

export interface SealsAdded {
  readonly seals: readonly Seal[];
  readonly nowMs: number;
}

export async function insertSeals(tx: Transaction, chain: ChainName, { seals, nowMs }: SealsAdded): Promise<void> {
  const columns = [seals.map(({ place }) => String(place)), seals.map(({ sealedId }) => String(sealedId))];
  const hashes = seals.map(({ hash }) => Buffer.from(hash));
  const values = [chain, ...columns, hashes, toIso(nowMs)];
  await tx.query({ name: 'billing.insert_seals', text: insertText }, values);
}

const readTexts = mapChains(
  ({ content }, chain) => `
select place, sealed_id, hash, ${content}(sealed_id) as content from billing.seal
where chain = '${chain}' and place > $1 order by place limit $2`,
);

export interface SealedRow {
  readonly place: bigint;
  readonly sealed_id: bigint;
  readonly hash: Uint8Array;
  /** The hash of the row's content as it is now. Null if there is no such row. */
  readonly content: Uint8Array | null;
}

export interface SealsPage {
  /** The place of the last seal of the page before. */
  readonly after: bigint;
  readonly limit: number;
}

/** Reads the next seals of a chain, with the content of their rows. */
export async function readSealed(tx: Transaction, chain: ChainName, page: SealsPage): Promise<SealedRow[]> {
  return tx.query<SealedRow & object>(readTexts[chain], [String(page.after), page.limit]);
}

const forgottenTexts = mapChains(
  ({ table, id }, chain) => `
select r.${id} as id from ${table} r
where r.${id} <= (select max(sealed_id) from billing.seal where chain = '${chain}') - ${lookBackRows}
  and not exists (select from billing.seal s where s.chain = '${chain}' and s.sealed_id = r.${id})
order by r.${id} limit 20`,
);

/** Lists rows without a seal that no sealer will find any more. */
export async function listForgotten(tx: Transaction, chain: ChainName): Promise<bigint[]> {
  return (await tx.query<{ id: bigint }>(forgottenTexts[chain])).map(({ id }) => id);
}

type Source = (typeof sources)[ChainName];

function mapChains(toText: (source: Source, chain: ChainName) => string): Readonly<Record<ChainName, string>> {
  return { ledger: toText(sources.ledger, 'ledger'), invoice: toText(sources.invoice, 'invoice') };
}

export interface SealsCompared {
  readonly hours: bigint;
  readonly sealedCalls: bigint;
  readonly hoursNow: bigint;
  readonly callsNow: bigint;
  /** Tools of which calls were counted since, which the next close seals again. */
  readonly late: number;
  readonly differing: number;
  /** The first of them. */
  readonly rows: readonly string[];
}

/** Calls that are counted late only add to an hour, so fewer of them than were sealed always differ. */
const text = `
with newest as (
  select tool_id, max(sealed_in) as sealed_in from billing.usage_seal where period = $1 and tool_id = any ($2::text[]) group by 1
), sealed as materialized (
  select s.* from billing.usage_seal s join newest n using (tool_id, sealed_in) where s.period = $1
), counted_late as (
  select tool_id, sum(counts) as counts from usage.late_usage_v1 where period = $1 and tool_id = any ($2::text[]) group by 1
), late as materialized (
  select tool_id from counted_late l where counts > coalesce((select max(s.late_counts) from sealed s where s.tool_id = l.tool_id), 0)
), now as materialized (${usageSums('$2::text[]', '$3::timestamptz', '$4::timestamptz')}
), differing as materialized (
  select format('%s at %s: sealed %s calls and a quantity of %s, now %s and %s', tool_id,
    to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24"Z"'), coalesce(s.calls, 0), trim_scale(coalesce(s.quantity, 0)),
    coalesce(n.calls, 0), trim_scale(coalesce(n.quantity, 0))) || case
      when (s.calls, s.quantity) = (n.calls, n.quantity) then ', of other callers or measures' else '' end as line
  from sealed s full join now n using (tool_id, hour)
  where (s.calls, s.quantity, s.hash) is distinct from (n.calls, n.quantity, n.hash)
    and (tool_id not in (select tool_id from late) or coalesce(n.calls, 0) < s.calls)
)
select (select count(*) from sealed) as hours, (select coalesce(sum(calls), 0)::bigint from sealed) as "sealedCalls",
  (select count(*) from now) as "hoursNow", (select coalesce(sum(calls), 0)::bigint from now) as "callsNow",
  (select count(*)::int from late) as late, (select count(*)::int from differing) as differing,
  array(select line from differing order by line collate "C" limit 20) as rows`;

/** Compares the rollups of these tools in a closed month with their seals. */
export async function compareSeals(
  tx: Transaction,
  { period, toolIds }: { readonly period: string; readonly toolIds: readonly string[] },
): Promise<SealsCompared> {
  const { start, end } = periodBounds(period);
  return onlyRow(await tx.query<SealsCompared & object>(text, [period, toolIds, toIso(start), toIso(end)]));
}

const closedText = 'select exists (select from billing.closed_period where period = $1) as "isClosed"';

/** Says whether a close has sealed the month. */
export async function isSealed(tx: Transaction, period: string): Promise<boolean> {
  return onlyRow(await tx.query<{ isClosed: boolean }>(closedText, [period])).isClosed;
}
