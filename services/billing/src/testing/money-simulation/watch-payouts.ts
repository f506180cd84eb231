import type { MoneyWorld } from './create-money-world.ts';
import { feeOf } from './expected-balances.ts';
import type { StepTaken } from './random-steps.ts';

interface BuilderSums {
  readonly builder_id: string;
  readonly period: string;
  /** What the builder's lines came to, less what was given back of it: one sum a gross key. */
  readonly gross: readonly string[];
  readonly net_cents: string;
  readonly fee_cents: string;
}

const newText = `
select p.builder_id, p.period,
  (select array_agg(micros::text) from (
    select sum(micros) as micros from (
      select gross_key, charge_micros as micros from billing.released_line where builder_id = p.builder_id
      union all
      select gross_key, -charge_micros from billing.refunded_line where builder_id = p.builder_id) moved
    group by gross_key) by_key) as gross,
  (select sum(net_cents)::text from billing.payout where builder_id = p.builder_id) as net_cents,
  (select sum(fee_cents)::text from billing.payout where builder_id = p.builder_id) as fee_cents
from billing.payout p where p.payout_id <> all ($1::uuid[])`;

/**
 * Looks at each payout right after it was scheduled: together with those before it, it takes what the builder has earned and
 * what was taken in fees, in whole cents, and leaves less than a cent of either.
 */
export function createPayoutWatch({ owner }: MoneyWorld) {
  let known: string[] = [];

  return async function watchPayouts({ hasDied }: Pick<StepTaken, 'hasDied'>): Promise<string[]> {
    const fresh = hasDied ? [] : await owner.query<BuilderSums>(newText, [known]); // else more may have been earned since
    known = (await owner.query<{ payout_id: string }>('select payout_id from billing.payout')).map(
      (row) => row.payout_id,
    );
    return fresh.flatMap((sums) => {
      const gross = sums.gross.map(BigInt);
      const fees = gross.reduce((sum, one) => sum + feeOf(one), 0n);
      const earned = gross.reduce((sum, one) => sum + one, 0n) - fees;
      const left = {
        earnings: earned - BigInt(sums.net_cents) * 10_000n,
        fees: fees - BigInt(sums.fee_cents) * 10_000n,
      };
      return Object.entries(left)
        .filter(([, micros]) => micros < 0n || micros >= 10_000n)
        .map(([what, micros]) => `the payout of ${sums.period} to ${sums.builder_id} leaves ${micros} of its ${what}`);
    });
  };
}
