import { toIso, type Clock } from '@tollgate/kernel/clock';
import { onlyRow, type Database } from '@tollgate/database/database';
import type { ProcessorBalance } from '../processor.ts';
import { paidOutText } from './sandbox-own-payouts.ts';

const text = `
select (
  select coalesce(sum(case kind when 'charge' then amount_cents else -amount_cents end), 0)
  from sandbox.movement where status = 'succeeded' and (reverses_at is null or reverses_at > $1)
) - (select coalesce(sum(fee_cents), 0) from sandbox.movement) - (select coalesce(sum(fee_cents + case status when 'won' then 0 else amount_cents end), 0) from sandbox.dispute)
  - ${paidOutText('$1')} as cents`;

interface SandboxBalanceDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** The platform's own money, which it has deposited. */
  readonly fundsCents: bigint;
}

/** Sums up all that ever moved, and the deposit. Refunds and disputes may take more than there is, as at Stripe. */
export function createReadSandboxBalance({ database, clock, fundsCents }: SandboxBalanceDeps) {
  return async function readSandboxBalance(): Promise<ProcessorBalance> {
    const { cents } = onlyRow(await database.query<{ cents: string }>(text, [toIso(clock.now())]));
    return { heldCents: fundsCents + BigInt(cents), ownCents: fundsCents, otherCurrencies: [] };
  };
}
