import type { MoneyWorld } from './create-money-world.ts';
import { feeOf } from './expected-balances.ts';
import type { StepTaken } from './random-steps.ts';

interface BuilderSums {
  readonly builder_id: string;
  readonly period: string;
  /** The sum of the builder's lines before, less refunds: one sum per gross key. */
  readonly gross: readonly string[];
  /** The earnings and fees of months after the payout's, which wait for their own days. */
  readonly later: readonly [earning: string, fee: string];
  readonly net_cents: string;
  readonly fee_cents: string;
}

const newText = `
select p.builder_id, p.period,
  (select array_agg(micros::text) from (
    select sum(micros) as micros from (
      select gross_key, charge_micros as micros, 'paid:' || released_by as business_key
      from billing.released_line where builder_id = p.builder_id
      union all
      select gross_key, -charge_micros, 'refund:' || refund_id
      from billing.refunded_line where builder_id = p.builder_id) moved
    join billing.ledger_transaction moving using (business_key)
    where moving.transaction_id < scheduling.transaction_id
    group by gross_key) by_key) as gross,
  (select array[coalesce(sum(earning_micros), 0)::text, coalesce(sum(fee_micros), 0)::text] from (
      select invoice_id, place, earning_micros, fee_micros, 'paid:' || released_by as business_key
      from billing.released_line where builder_id = p.builder_id
      union all
      select invoice_id, place, -earning_micros, -fee_micros, 'refund:' || refund_id
      from billing.refunded_line where builder_id = p.builder_id) moved
    join billing.ledger_transaction moving using (business_key)
    join billing.invoice_line l using (invoice_id, place) join billing.invoice i using (invoice_id)
    where moving.transaction_id < scheduling.transaction_id and coalesce(l.adjustment_of, i.period) > p.period) as later,
  (select sum(net_cents + held_cents - coalesce(($2::jsonb ->> payout_id::text)::numeric, 0))::text
    from billing.payout where builder_id = p.builder_id) as net_cents,
  (select sum(fee_cents)::text from billing.payout where builder_id = p.builder_id) as fee_cents
from billing.payout p
join billing.ledger_transaction scheduling on scheduling.business_key = 'payout:' || p.payout_id || ':scheduled:1'
where p.payout_id <> all ($1::uuid[])`;

/**
 * Looks at each payout in the step that scheduled it: together with those before it, it takes what the builder had earned
 * by then for months up to its own and what was taken in fees, in whole cents, and leaves less than a cent of either. What is collected later in the
 * same step, as a charge is that never reached the processor, is for the next.
 */
export function createPayoutWatch({ owner }: MoneyWorld) {
  let known: readonly string[] = [];
  let held: Readonly<Record<string, string>> = {}; // payouts before the step: one may be lowered after a plan

  return async function watchPayouts({ hasDied }: Pick<StepTaken, 'hasDied'>): Promise<string[]> {
    const fresh = hasDied ? [] : await owner.query<BuilderSums>(newText, [known, JSON.stringify(held)]); // else more may have been earned since
    const rows = await owner.query<{ id: string; held: string }>(
      'select payout_id as id, held_cents::text as held from billing.payout',
    );
    known = rows.map(({ id }) => id);
    held = Object.fromEntries(rows.map((row) => [row.id, row.held]));
    return fresh.flatMap((sums) => {
      const gross = sums.gross.map(BigInt);
      const fees = gross.reduce((sum, one) => sum + feeOf(one), 0n);
      const earned = gross.reduce((sum, one) => sum + one, 0n) - fees;
      const [laterEarning, laterFee] = [BigInt(sums.later[0]), BigInt(sums.later[1])];
      const left = {
        earnings: earned - laterEarning - BigInt(sums.net_cents) * 10_000n,
        fees: fees - laterFee - BigInt(sums.fee_cents) * 10_000n,
      };
      return Object.entries(left)
        .filter(([, micros]) => micros < 0n || micros >= 10_000n)
        .map(([what, micros]) => `the payout of ${sums.period} to ${sums.builder_id} leaves ${micros} of its ${what}`);
    });
  };
}
