import { balancePaidText } from '../invoicing/invoice.ts';
import { feeSql } from '../fees/fee.ts';

/**
 * The rules of consumers' balances and of the credits that they consist of. Each has the statement that selects the rows
 * that break it; `sql-ledger-checks.ts` runs them.
 */
export const balanceChecks: Readonly<Record<string, string>> = {
  'no balance is below zero': `
    select format('balance of %s: %s', owner_id, -balance_micros) from billing.ledger_account
    where kind = 'consumer_balance' and balance_micros > 0
    union all
    select format('credit %s of %s: %s of %s cents left', credit_id, account_id, left_cents, amount_cents)
    from billing.balance_credit where left_cents not between 0 and amount_cents`,
  'each credit has left the sum of its moves': `
    select format('credit %s of %s: %s cents left, moves %s', c.credit_id, c.account_id, c.left_cents, coalesce(sum(m.amount_cents), 0))
    from billing.balance_credit c left join billing.balance_move m using (credit_id)
    group by c.credit_id having c.left_cents <> coalesce(sum(m.amount_cents), 0)
      or c.amount_cents <> coalesce(sum(m.amount_cents) filter (where m.business_key
        = case when c.top_up_id is null then 'credit:' else 'top-up:' end || c.credit_id), 0)
      or bool_or(m.account_id <> c.account_id)`,
  'the balances are what their credits have left': `
    with shown as (
      select owner_id as account_id, -balance_micros as micros from billing.ledger_account where kind = 'consumer_balance'
    ), summed as (
      select account_id, sum(left_cents) * 10000 as micros from billing.balance_credit group by 1
    )
    select format('balance of %s: ledger %s, credits %s', account_id, coalesce(b.micros, 0), coalesce(s.micros, 0))
    from shown b full join summed s using (account_id) where coalesce(b.micros, 0) <> coalesce(s.micros, 0)`,
  'the ledger has each move of a balance': `
    with expected as (
      select m.business_key, e.kind, e.owner, sum(e.micros) as micros
      from billing.balance_move m cross join lateral (values
        ('consumer_balance', m.account_id::text, -m.amount_cents * 10000),
        (case when m.business_key like 'refund:%' or m.business_key like 'top-up%' then null when m.invoice_id is null then 'promotions' else 'receivable' end,
          case when m.invoice_id is null then 'the platform' else m.account_id::text end, m.amount_cents * 10000)
      ) as e (kind, owner, micros) where e.kind is not null group by 1, 2, 3
    ), posted as (
      select t.business_key, a.kind, coalesce(a.owner_id::text, 'the platform') as owner, sum(e.amount_micros) as micros
      from billing.ledger_transaction t join billing.ledger_entry e using (transaction_id)
      join billing.ledger_account a using (ledger_account_id)
      where a.kind in ('consumer_balance', 'promotions')
        or a.kind = 'receivable' and t.business_key like 'balance-%' group by 1, 2, 3
    )
    select format('%s, %s of %s: moves %s, ledger %s', business_key, kind, owner, coalesce(e.micros, 0), coalesce(p.micros, 0))
    from expected e full join posted p using (business_key, kind, owner)
    where coalesce(e.micros, 0) <> coalesce(p.micros, 0)`,
  'moves of balances and their postings have the same dates': `
    select format('%s: moved at %s, posted at %s', m.business_key, m.moved_at, t.occurred_at)
    from billing.balance_move m join billing.ledger_transaction t using (business_key) where m.moved_at <> t.occurred_at
    union all
    select format('credit %s: created at %s, posted at %s', c.credit_id, c.created_at, t.occurred_at)
    from billing.balance_credit c join billing.ledger_transaction t
      on t.business_key = case when c.top_up_id is null then 'credit:' else 'top-up:' end || c.credit_id
    where c.created_at <> t.occurred_at
    union all
    select format('%s: the credit expires at %s, and was taken at %s', m.business_key, c.expires_at, m.moved_at)
    from billing.balance_move m join billing.balance_credit c using (credit_id)
    where m.business_key like 'credit-expired:%' and c.expires_at is distinct from least(c.expires_at, m.moved_at)`,
  'the balance pays at most what an invoice bills, and nothing of one that is written off': `
    select format('invoice %s (%s) of %s is %s: the balance paid %s of %s cents', number, invoice_id, consumer_id, status,
      balance_cents, total_cents)
    from (select *, ${balancePaidText} as balance_cents from billing.invoice) i
    where balance_cents not between 0 and case when status in ('uncollectible', 'void') then 0 else total_cents end
    union all
    select format('%s: it moved the balance of %s, the invoice is of %s', m.business_key, m.account_id, i.consumer_id)
    from billing.balance_move m left join billing.invoice i using (invoice_id)
    where m.invoice_id is not null and m.account_id is distinct from i.consumer_id`,
  'grants pay for calls of their time, and what is stored of it says so': `
    select format('invoice %s: credit %s pays for calls from %s to %s, when it was not valid', i.number, p.credit_id, p.from_at, p.to_at)
    from billing.laid_part p join billing.invoice i using (invoice_id) join billing.balance_credit c using (credit_id)
    where c.top_up_id is not null or p.to_at <= c.effective_from or p.from_at >= c.ends_at
    union all
    select format('invoice %s: credit %s paid %s cents, for calls of %s cents', i.number, credit_id, coalesce(m.cents, 0), coalesce(p.cents, 0))
    from (select b.invoice_id, b.credit_id, -sum(b.amount_cents) as cents
      from billing.balance_move b join billing.balance_credit c using (credit_id)
      where b.invoice_id is not null and c.top_up_id is null and b.business_key not like 'refund:%' group by 1, 2) m
    full join (select invoice_id, credit_id, sum(cents) as cents from billing.laid_part group by 1, 2) p using (invoice_id, credit_id)
    join billing.invoice i using (invoice_id) where coalesce(m.cents, 0) <> coalesce(p.cents, 0)`,
  'refunds give back to balances what they say, and at most what the balance paid': `
    select format('refund %s is %s: %s cents to the balance, moves %s', r.refund_id, r.status, r.balance_cents, coalesce(m.cents, 0))
    from billing.refund r left join (
      select business_key, sum(amount_cents) as cents from billing.balance_move where business_key like 'refund:%' group by 1
    ) m on m.business_key = 'refund:' || r.refund_id
    where coalesce(m.cents, 0) <> case r.status when 'succeeded' then r.balance_cents else 0 end
    union all
    select format('invoice %s (%s): the balance paid %s cents, refunds gave it %s', number, invoice_id, paid, given)
    from (
      select number, invoice_id, ${balancePaidText} as paid, (select coalesce(sum(r.balance_cents), 0) from billing.refund r
        where r.invoice_id = invoice.invoice_id and r.status <> 'failed') as given from billing.invoice
    ) i where given > paid`,
};

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

/**
 * The rules of top-ups and of their refunds. Each has the statement that selects the rows that break it;
 * `sql-ledger-checks.ts` runs them.
 */
export const topUpChecks: Readonly<Record<string, string>> = {
  'the ledger has each top-up and each of its refunds': `
    with expected (business_key, kind, owner, micros) as (
      select 'top-up:' || top_up_id, e.kind, e.owner, e.micros from billing.top_up cross join lateral (values
        ('cash', 'the platform', amount_cents * 10000), ('consumer_balance', account_id::text, -amount_cents * 10000)
      ) as e (kind, owner, micros) where status = 'succeeded'
      union all
      select 'top-up-refund:' || refund_id, e.kind, e.owner, e.micros from billing.top_up_refund cross join lateral (values
        ('cash', 'the platform', -amount_cents * 10000), ('consumer_balance', account_id::text, balance_cents * 10000),
        ('rounding', 'the platform', (amount_cents - balance_cents) * 10000)) as e (kind, owner, micros)
      union all
      select k.prefix || part_id, e.kind, account_id::text, k.sign * e.micros from billing.balance_refund_part
      cross join (values ('top-up-refund-held:', 1), ('top-up-refund-freed:', -1)) as k (prefix, sign)
      cross join lateral (values ('consumer_balance', amount_cents * 10000), ('refund_in_transit', -amount_cents * 10000)
      ) as e (kind, micros) where k.sign = 1 or settled_at is not null
    ), posted as (
      select t.business_key, a.kind, coalesce(a.owner_id::text, 'the platform') as owner, sum(e.amount_micros) as micros
      from billing.ledger_transaction t join billing.ledger_entry e using (transaction_id)
      join billing.ledger_account a using (ledger_account_id) where t.business_key like 'top-up%' group by 1, 2, 3
    )
    select format('%s, %s of %s: expected %s, ledger %s', business_key, kind, owner, coalesce(e.micros, 0), coalesce(p.micros, 0))
    from expected e full join posted p using (business_key, kind, owner)
    where coalesce(e.micros, 0) <> coalesce(p.micros, 0)`,
  'each top-up is its charge and its credit': `
    select format('top-up %s of %s is %s, of %s cents: charges %s, credit of %s cents', t.top_up_id, t.account_id, t.status,
      t.amount_cents, coalesce(c.charges, 'none'), coalesce(b.amount_cents::text, 'no'))
    from billing.top_up t left join billing.balance_credit b on b.top_up_id = t.top_up_id
    cross join lateral (
      select string_agg(a.status || ' of ' || a.amount_cents, ', ' order by a.number) as charges, count(*) as orders,
        count(*) filter (where a.status = 'succeeded') as paid, count(*) filter (where a.status = 'unknown') as open,
        coalesce(bool_or(a.amount_cents <> t.amount_cents), false) as is_other
      from billing.processor_attempt a where a.of_top_up and a.kind = 'charge' and a.subject_id = t.top_up_id
    ) c
    where c.orders <> 1 or c.is_other or (c.paid > 0) <> (t.status = 'succeeded') or (c.open > 0) <> (t.status = 'pending')
      or (t.status = 'succeeded') <> (b.credit_id is not null)
      or (b.account_id, b.amount_cents, b.created_at) is distinct from (t.account_id, t.amount_cents, t.succeeded_at)
        and b.credit_id is not null`,
  // A bank may take all of a charge by a dispute, whatever was refunded before.
  'no top-up gives back more than it was, and each refund to its account': `
    select format('top-up %s of %s: of %s cents, given back %s', t.top_up_id, t.account_id, t.amount_cents, sum(r.amount_cents))
    from billing.top_up t join billing.top_up_refund r using (top_up_id) left join billing.top_up_refund u on u.refund_id = r.reinstates
    group by t.top_up_id, coalesce(u.cause, r.cause) = 'dispute' having sum(r.amount_cents) not between 0 and t.amount_cents
      or bool_or(r.account_id <> t.account_id) or t.status <> 'succeeded'
    union all
    select format('refund %s of a top-up undoes %s: %s and %s cents', r.refund_id, u.refund_id, r.amount_cents, u.amount_cents)
    from billing.top_up_refund r join billing.top_up_refund u on u.refund_id = r.reinstates
    where (r.top_up_id, r.amount_cents, r.balance_cents) is distinct from (u.top_up_id, -u.amount_cents, -u.balance_cents)`,
  'refunds of top-ups are the disputes and the moves of balances that they say': `
    select format('refund %s of a top-up: %s cents from the balance, moves %s', r.refund_id, r.balance_cents, coalesce(m.cents, 0))
    from billing.top_up_refund r left join (
      select business_key, -sum(amount_cents) as cents from billing.balance_move
      where business_key like 'top-up-refund:%' group by 1
    ) m on m.business_key = 'top-up-refund:' || r.refund_id where coalesce(m.cents, 0) <> r.balance_cents
    union all
    select format('refund %s of a top-up, of %s cents: no dispute became it', refund_id, amount_cents)
    from billing.top_up_refund r where cause = 'dispute'
      and not exists (select from billing.top_up_refund b where b.reinstates = r.refund_id)
      and not exists (select from billing.dispute d where d.refund_id = r.refund_id and d.top_up_id = r.top_up_id)`,
  'each part of a balance’s refund is its order, its moves and what its top-up gave': `
    select format('part %s of refund %s is %s, of %s cents: orders %s, moves %s, given %s', p.part_id, p.refund_id, p.status,
      p.amount_cents, coalesce(o.orders, 'none'), coalesce(m.moves, 'none'), coalesce(g.cents, 0))
    from billing.balance_refund_part p cross join lateral (
      select string_agg(a.status || ' of ' || a.amount_cents, ', ' order by a.number) as orders, count(*) as number,
        coalesce(bool_or(a.amount_cents <> p.amount_cents), false) as is_other, max(a.status) as status
      from billing.processor_attempt a where a.of_top_up and a.kind = 'refund' and a.subject_id = p.part_id
    ) o cross join lateral (
      select string_agg(split_part(b.business_key, ':', 1) || ' ' || b.amount_cents, ', ' order by b.amount_cents) as moves,
        coalesce(bool_or(b.credit_id <> p.top_up_id), false) as is_other
      from billing.balance_move b where b.business_key in ('top-up-refund-held:' || p.part_id, 'top-up-refund-freed:' || p.part_id)
    ) m cross join lateral (
      select sum(r.amount_cents) as cents, bool_or((r.top_up_id, r.account_id) is distinct from (p.top_up_id, p.account_id)) as is_other
      from billing.top_up_refund r where r.refund_id = p.part_id or r.reinstates = p.part_id
    ) g
    where o.number <> 1 or o.is_other or m.is_other or g.is_other
      or p.status <> case o.status when 'unknown' then 'pending' when 'succeeded' then 'succeeded' else 'failed' end
      or coalesce(g.cents, 0) <> case p.status when 'succeeded' then p.amount_cents else 0 end
      or m.moves is distinct from concat('top-up-refund-held -', p.amount_cents,
        case when p.settled_at is not null then ', top-up-refund-freed ' || p.amount_cents end)
    union all
    select format('refund %s of a top-up, of %s cents: no part of a balance’s refund is it', refund_id, amount_cents)
    from billing.top_up_refund r where cause = 'ordered'
      and not exists (select from billing.balance_refund_part p where p.part_id = r.refund_id)
    union all
    select format('order %s: no part of a balance’s refund is it', attempt_id) from billing.processor_attempt a
    where of_top_up and kind = 'refund' and not exists (select from billing.balance_refund_part p where p.part_id = a.subject_id)`,
  'each refund of a balance is the sum of its parts': `
    select format('refund %s of the balance of %s, of %s cents: parts %s', r.refund_id, r.account_id, r.amount_cents,
      coalesce(sum(p.amount_cents), 0))
    from billing.balance_refund r left join billing.balance_refund_part p using (refund_id)
    left join billing.top_up t using (top_up_id)
    group by r.refund_id having r.amount_cents <> coalesce(sum(p.amount_cents), 0)
      or bool_or((p.account_id, t.account_id, p.created_at) is distinct from (r.account_id, r.account_id, r.created_at))`,
};
