import { balancePaidText } from '../invoicing/invoice.ts';

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
