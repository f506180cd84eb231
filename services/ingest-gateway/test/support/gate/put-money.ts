import { randomUUID } from 'node:crypto';
import type { Database } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';

export interface MoneyOf {
  readonly owner: Database;
  readonly accountId: string;
  readonly nowMs: number;
}

/** A credit of the balance, as a grant or a top-up makes it. Returns its id. */
export async function putCredit(
  { owner, accountId, nowMs }: MoneyOf,
  cents: bigint,
  expiresAtMs?: number,
): Promise<string> {
  const creditId = randomUUID();
  await owner.transaction(async (tx) => {
    await tx.query(
      `insert into billing.balance_credit (credit_id, account_id, amount_cents, reason, expires_at, created_at, effective_from)
       values ($1, $2, $3, 'test', $4, $5, $5)`,
      [creditId, accountId, cents.toString(), expiresAtMs === undefined ? null : toIso(expiresAtMs), toIso(nowMs)],
    );
    await tx.query(
      `insert into billing.balance_move (business_key, credit_id, account_id, amount_cents, moved_at) values ($1::text, $1::uuid, $2, $3, $4)`,
      [creditId, accountId, cents.toString(), toIso(nowMs)],
    );
  });
  return creditId;
}

/** As the operator sets it; null: none. */
export async function putCreditLimit({ owner, accountId, nowMs }: MoneyOf, cents: bigint | null): Promise<void> {
  await owner.query(
    `insert into billing.credit_limit (account_id, limit_cents, changed_at) values ($1, $2, $3)
     on conflict (account_id) do update set limit_cents = excluded.limit_cents, changed_at = excluded.changed_at`,
    [accountId, cents?.toString() ?? null, toIso(nowMs)],
  );
}

/** Bills these charges with what the last invoice carries on, as a close does. */
export async function putInvoice({ owner, accountId, nowMs }: MoneyOf, chargeMicros: bigint): Promise<void> {
  const invoiceId = randomUUID();
  await owner.transaction(async (tx) => {
    await tx.query(
      `with last as (
         select coalesce((select carried_out_micros from billing.invoice where consumer_id = $2 order by period desc limit 1), 0)
             + $3::bigint as owed,
           '2000-01-01'::date + (select count(*)::int from billing.invoice where consumer_id = $2) * interval '1 month' as month
       )
       insert into billing.invoice (invoice_id, number, consumer_id, period, status, charge_micros, carried_in_micros, total_cents,
         carried_out_micros, issued_at, due_at)
       select $1, (select coalesce(max(number), 0) + 1 from billing.invoice), $2, to_char(month, 'YYYY-MM'), 'open', $3::bigint,
         owed - $3::bigint, greatest(div(owed, 10000), 0), owed - greatest(div(owed, 10000), 0) * 10000, $4, $4
       from last`,
      [invoiceId, accountId, chargeMicros.toString(), toIso(nowMs)],
    );
    await tx.query(
      `insert into billing.invoice_line (invoice_id, place, tool_id, price_id, charge_index, builder_id, quantity, unit, charge_micros)
       select $1, 1, t.tool_id, p.price_id, 0, t.owner_id, 1, 'calls', $2
       from billing.tool t join billing.tool_price p using (tool_id) limit 1`,
      [invoiceId, chargeMicros.toString()],
    );
  });
}

/** Pays what the account owes: by its balance as far as that goes, or by a card. Returns what the card paid, in cents. */
export async function payInvoices({ owner, accountId, nowMs }: MoneyOf, by: 'balance' | 'card'): Promise<bigint> {
  if (by === 'balance') {
    await owner.query(
      `insert into billing.balance_move (business_key, credit_id, account_id, amount_cents, invoice_id, moved_at)
       select 'pay:' || o.invoice_id || gen_random_uuid(), c.credit_id, $1, -least(c.left_cents, o.unpaid), o.invoice_id, $2
       from (select c.credit_id, c.left_cents from billing.balance_credit c where c.account_id = $1 and c.left_cents > 0
           order by c.credit_id limit 1) c
       cross join (select i.invoice_id, i.total_cents + coalesce((select sum(m.amount_cents) from billing.balance_move m
             where m.invoice_id = i.invoice_id), 0) as unpaid
           from billing.invoice i where i.consumer_id = $1 and i.status = 'open' order by i.period limit 1) o
       where o.unpaid > 0`,
      [accountId, toIso(nowMs)],
    );
    return 0n;
  }
  const rows = await owner.query<{ paid: bigint }>(
    `update billing.invoice i set status = 'paid', paid_at = $2
     where consumer_id = $1 and status in ('open', 'past_due', 'uncollectible')
     returning (total_cents + coalesce((select sum(m.amount_cents) from billing.balance_move m
       where m.invoice_id = i.invoice_id), 0))::bigint as paid`,
    [accountId, toIso(nowMs)],
  );
  return rows.reduce((sum, { paid }) => sum + paid, 0n);
}

/** Nobody has paid the open invoices in time; what is `uncollectible` is written off. */
export async function ageInvoices({ owner, accountId }: MoneyOf, to: 'past_due' | 'uncollectible'): Promise<void> {
  const from = to === 'past_due' ? 'open' : 'past_due';
  await owner.query('update billing.invoice set status = $2 where consumer_id = $1 and status = $3', [
    accountId,
    to,
    from,
  ]);
}

/** As the processor says that a payment method was set up, or removed. */
export async function putPaymentMethod({ owner, accountId, nowMs }: MoneyOf, is: 'on file' | 'gone'): Promise<void> {
  const card = is === 'gone' ? [null, null, null, null, null] : [randomUUID(), 'visa', '4242', 12, 2030];
  await owner.query(
    `insert into billing.processor_customer (account_id, processor, processor_customer_id, created_at)
     values ($1, 'sandbox', gen_random_uuid()::text, $2) on conflict do nothing`,
    [accountId, toIso(nowMs)],
  );
  await owner.query(
    `update billing.processor_customer set payment_method_id = $2, brand = $3, last4 = $4, exp_month = $5, exp_year = $6
     where account_id = $1`,
    [accountId, ...card],
  );
}
