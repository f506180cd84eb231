import { onlyRow, type Transaction } from '@tollgate/database/database';
import { balanceChecks, feeChecks, topUpChecks } from './sql-balance-checks.ts';
import { collectionChecks } from './sql-collection-checks.ts';
import { dateChecks } from './sql-date-checks.ts';
import { payoutChecks } from './sql-payout-checks.ts';
import { postingChecks } from './sql-posting-checks.ts';

/** The rules of ledger and invoices. Each has the statement that selects the rows that break it, one text per row. */
const checks: Readonly<Record<string, string>> = {
  'each ledger transaction sums to zero': `
    select format('transaction %s: %s entries, sum %s', t.business_key, count(e.place), coalesce(sum(e.amount_micros), 0))
    from billing.ledger_transaction t left join billing.ledger_entry e using (transaction_id)
    group by t.transaction_id having count(e.place) < 2 or sum(e.amount_micros) <> 0`,
  'each balance is the sum of its entries': `
    select format('account %s of %s: balance %s, entries %s',
      a.kind, coalesce(a.owner_id::text, 'the platform'), a.balance_micros, coalesce(sum(e.amount_micros), 0))
    from billing.ledger_account a left join billing.ledger_entry e using (ledger_account_id)
    group by a.ledger_account_id having a.balance_micros <> coalesce(sum(e.amount_micros), 0)`,
  'each invoice charges the sum of its lines': `
    select format('invoice %s (%s): charge %s, lines %s', i.number, i.invoice_id, i.charge_micros, coalesce(sum(l.charge_micros), 0))
    from billing.invoice i left join billing.invoice_line l using (invoice_id)
    group by i.invoice_id having i.charge_micros <> coalesce(sum(l.charge_micros), 0)`,
  'each invoice bills or carries its whole charge': `
    select format('invoice %s (%s): %s + %s in, %s cents + %s out',
      number, invoice_id, charge_micros, carried_in_micros, total_cents, carried_out_micros)
    from billing.invoice where charge_micros + carried_in_micros <> total_cents * 10000 + carried_out_micros`,
  'each invoice carries in the amount that the one before carried out': `
    select format('invoice %s (%s): carried in %s, the one before carried out %s', number, invoice_id, carried_in_micros, before)
    from (select *, coalesce(lag(carried_out_micros) over (partition by consumer_id order by period), 0) as before
      from billing.invoice) i where carried_in_micros <> before`,
  'invoice numbers have no gaps': `
    select format('invoice %s (%s) is the %s. in their order', number, invoice_id, place)
    from (select number, invoice_id, row_number() over (order by number) as place from billing.invoice) i where number <> place`,
  'the postings of closes are the lines, and nothing else': `
    with expected as (
      select 'close:' || invoice_id as business_key, 'receivable' as kind, consumer_id as owner_id, sum(l.charge_micros) as micros
      from billing.invoice join billing.invoice_line l using (invoice_id) group by 1, 2, 3
      union all
      select 'close:' || invoice_id, 'builder_earned', builder_id, -sum(charge_micros)
      from billing.invoice_line group by 1, 2, 3
    ), posted as (
      select t.business_key, a.kind, a.owner_id, sum(e.amount_micros) as micros
      from billing.ledger_transaction t join billing.ledger_entry e using (transaction_id)
      join billing.ledger_account a using (ledger_account_id)
      where t.business_key like 'close:%' group by 1, 2, 3
    )
    select format('%s, %s of %s: lines %s, ledger %s', business_key, kind, owner_id, coalesce(e.micros, 0), coalesce(p.micros, 0))
    from expected e full join posted p using (business_key, kind, owner_id)
    where coalesce(e.micros, 0) <> coalesce(p.micros, 0)`,
  ...balanceChecks,
  ...topUpChecks,
  ...collectionChecks,
  ...feeChecks,
  ...payoutChecks,
  ...postingChecks,
  ...dateChecks,
};

export interface LedgerDifference {
  readonly check: string;
  readonly rows: number;
  /** The first 20 rows that break it, as text. */
  readonly examples: readonly string[];
}

/** Runs all checks, and returns those that fail. */
export async function findLedgerDifferences(tx: Transaction): Promise<LedgerDifference[]> {
  const differences: LedgerDifference[] = [];
  for (const [check, text] of Object.entries(checks)) {
    const counted = `with differing (line) as materialized (${text})
      select (select count(*)::int from differing) as rows,
        array(select line from differing order by line collate "C" limit 20) as examples`;
    const found = onlyRow(await tx.query<Omit<LedgerDifference, 'check'>>(counted));
    if (found.rows > 0) differences.push({ check, ...found });
  }
  return differences;
}
