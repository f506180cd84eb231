import { describe, expect, it } from '@jest/globals';
import { createDatabase } from '@tollgate/database/database';
import { eventually } from '@tollgate/testkit/eventually';
import { ada, bob } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';
import { silentLog as log } from '../support/silent-log.ts';

/** Ada and Bob owe for January and February, and are past due with both by April. */
const fixture = useCollection({
  uses: { [ada]: 10, [bob]: 10 },
  async then({ addUsage }) {
    for (const consumerId of [ada, bob])
      await addUsage({ consumerId, tool: 'search', hour: '2026-02-05T00:00:00Z', calls: 10 });
  },
});

/** As the gateway reads it: who is past due. */
async function pastDue(): Promise<string> {
  const gateway = createDatabase({ url: fixture.database.urlFor('ingest_gateway_worker'), name: 'test-gateway', log });
  const text = `select coalesce(string_agg(left(account_id::text, 1), ' ' order by account_id), '') as ids
    from billing.past_due_account_v1 where is_past_due`;
  const [row] = await gateway.query<{ ids: string }>(text);
  await gateway.stop();
  return row?.ids ?? '';
}

describe('F235 who is past due', () => {
  it('is so from the due date until every invoice is paid, also if one is written off meanwhile', async () => {
    await fixture.reach('2026-02-02T00:00:00Z');
    expect(await pastDue()).toBe('');
    await fixture.reach('2026-02-17T00:00:00Z');
    expect(await pastDue()).toBe('a b');
    await fixture.reach('2026-03-02T00:00:00Z');
    await fixture.reach('2026-04-20T00:00:00Z');
    const states = (await fixture.invoices()).map((line) => line.split(' ')[2]);
    expect(new Set(states)).toEqual(new Set(['uncollectible', 'past_due']));
    expect(await pastDue()).toBe('a b');
    await fixture.putCard(ada, 'visa');
    await fixture.runDue();
    expect(await pastDue()).toBe('b');
  });

  it('is so no more when two invoices are paid at once', async () => {
    await fixture.reach('2026-03-02T00:00:00Z');
    await fixture.reach('2026-03-20T00:00:00Z');
    expect(await pastDue()).toBe('a b');
    const payText = `update billing.invoice set status = 'paid', paid_at = now() where consumer_id = $1 and period = $2`;
    const { owner } = fixture;
    let second: Promise<unknown> | undefined;
    await owner.transaction(async (tx) => {
      await tx.query(payText, [ada, '2026-01']);
      second = owner.query(payText, [ada, '2026-02']);
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      let isDone = false;
      void second.catch(() => undefined).finally(() => (isDone = true));
      await eventually(async () => isDone || (await owner.query(waiting)).length > 0, { withinMs: 10_000 });
    });
    await second;
    expect(await pastDue()).toBe('b');
  });
});
