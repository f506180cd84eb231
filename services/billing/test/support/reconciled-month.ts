import { byOperator } from './by-operator.ts';
import { bodyHashOf } from '@tollgate/contracts/events/event-record';
import { hourMs } from '@tollgate/kernel/durations';
import { onlyRow, type Database } from '@tollgate/database/database';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { createReconcile } from '../../src/audit/reconcile.ts';
import { createSealBooks } from '../../src/audit/seal-books.ts';
import { createSandboxProcessor } from '../../src/processor/sandbox/sandbox-processor.ts';
import { perCall } from './invoicing-fixture.ts';
import { putCaps } from './put-caps.ts';
import { createMoneyWorld } from './money-simulation/create-money-world.ts';

export const builder = '0000000b-0000-4000-8000-00000000000a';
export const otherBuilder = '0000000c-0000-4000-8000-00000000000c';
export const consumer = '1000000a-0000-4000-8000-000000000000';
export const otherConsumer = '1000000b-0000-4000-8000-000000000000';

export type ReconciledMonth = Awaited<ReturnType<typeof createReconciledMonth>>;

/**
 * January 2024: 450 calls of one consumer and 7 of another, all but the first with keys, within their caps, invoiced, collected, partly refunded, paid out. The order of
 * the transfer is lost on its way, and gets through a day later.
 */
export async function createReconciledMonth() {
  const world = await createMoneyWorld({ startMs: Date.parse('2024-01-20T12:00:00Z'), scope: 'lifetime' });
  const random = seededRandom('reconcile', 1);

  async function passTime(hours: number): Promise<void> {
    world.clock.advance(hours * hourMs);
    await world.runDueWork();
  }

  /** Events with their rollup, as the aggregator leaves them. */
  async function countEvents(consumerId: string, calls: number): Promise<void> {
    const hour = '2024-01-20T10:00:00Z';
    await world.owner.query(`select usage.ensure_day('2024-01-20')`);
    await world.owner.query(
      `insert into usage.event (consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms, idempotency_key)
       select $1, gen_random_uuid(), 'search', $2::timestamptz + n * interval '1 second', $2::timestamptz + interval '1 hour', true, 5,
         case when $1 = '${otherConsumer}'::uuid and n > 1 then 'call ' || n end
       from generate_series(1, $3::int) n`,
      [consumerId, hour, calls],
    );
    const hash = Buffer.from(bodyHashOf({ tool_id: 'search', success: true, duration_ms: 5 }), 'base64url');
    await world.owner.query(
      `insert into usage.event_key select event_id, consumer_id, $2, occurred_at from usage.event
       where consumer_id = $1 and idempotency_key is not null`,
      [consumerId, hash],
    );
    await world.addUsage({ consumerId, tool: 'search', hour, calls, durationMs: BigInt(calls * 5) });
  }

  await world.putTool({ slug: 'search', ownerId: builder, price: perCall('0.01') });
  for (const consumerId of [consumer, otherConsumer])
    await world.useCases.enterCard(consumerId, { answer: 'complete', card: 'visa' });
  await world.useCases.onboard(builder, 'complete');
  await world.passWebhooks(random);
  await countEvents(consumer, 450);
  await countEvents(otherConsumer, 7);
  await putCaps(world.owner);
  await passTime(13 * 24);
  const text = 'select invoice_id from billing.invoice where consumer_id = $1';
  const { invoice_id: invoiceId } = onlyRow(await world.owner.query<{ invoice_id: string }>(text, [consumer]));
  await world.useCases.refundInvoice({ invoiceId, amountCents: 100n, idempotencyKey: undefined, by: byOperator });
  await world.failures.add({ on: 'transfer', failure: 'timeout_before_effect', times: 1, subjectId: undefined });
  await passTime(10 * 24);
  await passTime(25);
  await world.passWebhooks(random);
  await createSealBooks({ database: world.checkLedgerOn })(world.clock.now());

  return {
    world,
    passTime,
    passWebhooks: () => world.passWebhooks(random),
    /** The sandbox is asked by the same database, so it sees what was planted there. */
    reconcileOn(database: Database, scope: { period?: string; accountId?: string } = {}) {
      const processor = createSandboxProcessor({ database, clock: world.clock });
      return createReconcile({ database, processor })({ period: '2024-01', accountId: undefined, ...scope });
    },
  };
}
