import { feeSql } from '../fees/fee.ts';

/**
 * The fee on each line, taken once more in the order in which fees were taken: by posting, then by the line's place. The
 * locks on builders' gross give the postings of one builder their order. PostgreSQL sorts on disk, whatever the number of lines.
 */
export const feeChecks: Readonly<Record<string, string>> = {
  'the fee on each line is that of its place in its builder’s gross': `
    with moved as (
      select 'released' as what, l.invoice_id, l.place, l.builder_id, l.gross_key, t.transaction_id, l.release_place::bigint as line_order,
        l.charge_micros::numeric as charge, l.fee_micros::numeric as fee
      from billing.released_line l join billing.ledger_transaction t on t.business_key = 'paid:' || l.released_by
      union all
      select 'refunded', r.invoice_id, r.place, r.builder_id, r.gross_key, t.transaction_id, case f.cause
          when 'reinstated' then row_number() over (partition by r.refund_id order by r.invoice_id, r.place) else l.release_place end,
        -r.charge_micros, -r.fee_micros
      from billing.refunded_line r join billing.refund f using (refund_id) join billing.released_line l on (l.invoice_id, l.place) = (r.invoice_id, r.place)
      join billing.ledger_transaction t on t.business_key = 'refund:' || r.refund_id
    ), placed as (
      select *, sum(charge) over (partition by builder_id, gross_key order by transaction_id, line_order
        rows unbounded preceding) as gross from moved
    ), replayed as (select *, ${feeSql('gross')} - ${feeSql('gross - charge')} as expected from placed)
    select format('line %s of invoice %s, %s, of builder %s: fee %s, expected %s', place, invoice_id, what, builder_id, fee, expected)
    from replayed where fee <> expected`,
};
