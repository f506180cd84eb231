import { dayMs } from '@tollgate/kernel/durations';
import { toIso } from '@tollgate/kernel/clock';
import { payoutSettings } from '../wire-money.ts';
import type { MoneyWorld } from './create-money-world.ts';

/** The longest wait between two tries of a payout. */
const longestMs = dayMs;

/**
 * Builders who are owed what can be paid, with a failed payout that nothing keeps from being tried: an account takes it, no
 * transfer of the builder is on its way, and none was refused within the longest wait. Money of months whose payout days are
 * to come waits for those.
 */
const text = `
with last_day as (select max(period) as period from billing.payout_day), payable as (
  select owner_id, -balance_micros - coalesce((select sum(u.earning_micros) from billing.unpaid_earning u, last_day
    where u.builder_id = owner_id and u.period > last_day.period), 0) as micros
  from billing.ledger_account where kind = 'builder_payable'
)
select owner_id as builder_id, micros from payable
where micros >= $2::numeric
  and exists (select from billing.payout where builder_id = owner_id and status = 'failed')
  and exists (select from billing.connected_account where account_id = owner_id and payouts_enabled and disconnected_at is null)
  and not exists (
    select from billing.processor_attempt t join billing.payout p on p.payout_id = t.subject_id
    where t.kind = 'transfer' and p.builder_id = owner_id
      and (t.status = 'unknown' or t.status <> 'succeeded' and t.settled_at > $1::timestamptz - $3 * interval '1 millisecond'))`;

/** Looks after each step whether money that is owed and payable has stayed unpaid for longer than the longest wait. */
export function createUnpaidWatch({ owner, clock }: MoneyWorld) {
  let sinceOf = new Map<string, number>();

  return async function watchUnpaid(): Promise<string[]> {
    const nowMs = clock.now();
    const values = [toIso(nowMs), String(payoutSettings.minimumMicros), longestMs];
    const unpaid = await owner.query<{ builder_id: string; micros: string }>(text, values);
    sinceOf = new Map(unpaid.map(({ builder_id: id }) => [id, sinceOf.get(id) ?? nowMs]));
    return unpaid
      .filter(({ builder_id: id }) => nowMs - (sinceOf.get(id) ?? nowMs) > longestMs)
      .map(({ builder_id: id, micros }) => `${micros} micro-dollars are owed to ${id} and payable, and stay unpaid`);
  };
}
