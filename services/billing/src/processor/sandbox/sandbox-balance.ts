import { toIso, type Clock } from '@tollgate/kernel/clock';
import { onlyRow, type Database } from '@tollgate/database/database';
import type { ProcessorBalance } from '../processor.ts';

const text = `
select (
  select coalesce(sum(case kind when 'charge' then amount_cents else -amount_cents end), 0)
  from sandbox.movement where status = 'succeeded' and (reverses_at is null or reverses_at > $1)
) - (select coalesce(sum(fee_cents), 0) from sandbox.movement) - (select coalesce(sum(amount_cents), 0) from sandbox.dispute where status = 'lost') as cents`;

/** Sums up all that ever moved. Nobody deposits or withdraws money at the sandbox, so it may owe less than nothing. */
export function createReadSandboxBalance({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
  return async function readSandboxBalance(): Promise<ProcessorBalance> {
    const { cents } = onlyRow(await database.query<{ cents: string }>(text, [toIso(clock.now())]));
    return { heldCents: BigInt(cents), ownCents: 0n };
  };
}
