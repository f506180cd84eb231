/** A planted fault: its name, its statements, and a row that must name it. */
export type PlantedRow = readonly [what: string, sql: string, found: RegExp];

/** A planted fault whose statements are the template behind it. */
export const plant =
  (what: string, found: RegExp) =>
  (parts: TemplateStringsArray, ...values: readonly string[]): [string, string, RegExp] => [
    what,
    String.raw({ raw: parts }, ...values),
    found,
  ];

/** Posts an amount from the one account to the other, with balances. */
export function postSql(key: string, { from, to, micros }: { from: string; to: string; micros: number }): string {
  const account = (kind: string) =>
    `(select ledger_account_id from billing.ledger_account where kind = '${kind}' order by owner_id limit 1)`;
  const add = (kind: string) => `insert into billing.ledger_account (kind) select '${kind}'
    where not exists (select from billing.ledger_account where kind = '${kind}');`;
  return `${add(from)} ${add(to)}
    with posted as (insert into billing.ledger_transaction (business_key, occurred_at, period)
      select ${key}, max(occurred_at), max(period) from billing.ledger_transaction returning transaction_id)
    insert into billing.ledger_entry (transaction_id, place, ledger_account_id, amount_micros)
    select transaction_id, 1, ${account(to)}, ${micros} from posted union all
    select transaction_id, 2, ${account(from)}, ${-micros} from posted;
    ${balancesSql}`;
}

/** Sets every balance to the sum of its entries. */
export const balancesSql = `update billing.ledger_account a set balance_micros = coalesce(
  (select sum(amount_micros) from billing.ledger_entry e where e.ledger_account_id = a.ledger_account_id), 0);`;

/** Adds a movement at the sandbox that nobody ordered, like the one of this kind. */
export function strayMovementSql(kind: 'charge' | 'refund' | 'transfer', createdAt: string): string {
  return `insert into sandbox.movement (object_id, kind, idempotency_key, attempt_id, subject_id, party_id, payment_method_id,
      amount_cents, status, fee_cents, created_at)
    select 'stray', kind, 'stray', gen_random_uuid()::text, subject_id, party_id, payment_method_id, 77, 'succeeded', 0, '${createdAt}'
    from sandbox.movement where kind = '${kind}';`;
}

/** Takes a posting out of the ledger, with its entries. */
export function deletePostingSql(keyLike: string): string {
  return `delete from billing.ledger_entry where transaction_id in
      (select transaction_id from billing.ledger_transaction where business_key like '${keyLike}');
    delete from billing.ledger_transaction where business_key like '${keyLike}';
    ${balancesSql}`;
}
