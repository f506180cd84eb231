import { onlyRow, type Transaction } from '@tollgate/database/database';

export interface Cash {
  readonly cashMicros: bigint;
  /** The number of entries of the cash account. */
  readonly entries: bigint;
  /** Withdrawn by the processor for disputes that are not decided, and not posted yet. */
  readonly disputedCents: bigint;
  /** Orders whose outcome is unknown. */
  readonly underway: number;
}

const text = `
select (select coalesce(sum(e.amount_micros), 0)::text from billing.ledger_entry e
    join billing.ledger_account a using (ledger_account_id) where a.kind = 'cash') as cash,
  (select count(*) from billing.ledger_entry e join billing.ledger_account a using (ledger_account_id)
    where a.kind = 'cash') as entries,
  (select coalesce(sum(taken_cents - held_cents), 0)::text from billing.dispute where processor = $1 and status <> 'lost') as disputed,
  (select count(*)::int from billing.processor_attempt where processor = $1 and status = 'unknown') as underway`;

export async function readCash(tx: Transaction, processor: string): Promise<Cash> {
  const row = onlyRow(
    await tx.query<{ cash: string; entries: bigint; disputed: string; underway: number }>(text, [processor]),
  );
  const { entries, underway } = row;
  return { cashMicros: BigInt(row.cash), disputedCents: BigInt(row.disputed), entries, underway };
}
