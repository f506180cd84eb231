import { beforeEach, describe, expect, it } from '@jest/globals';
import type { UsageEventRecord } from '@tollgate/contracts/event-record';
import { toIso } from '@tollgate/kernel/clock';
import { keyedEventId, oldKeyedEventId } from '@tollgate/kernel/event-id';
import { eventually } from '@tollgate/testkit/eventually';
import { batchOf, consumerId, countingFixture, hour, startMs, usageEvent } from '../support/counting-fixture.ts';

const fixture = countingFixture();
const once = [`${consumerId} weather ${hour} t 1 7`];

/** A database that was upgraded: it has keys of before there was a secret, which is not in use yet. */
beforeEach(async () => {
  await fixture.reset();
  await fixture.owner.query('update usage.event_id_secret set has_old_ids = true, in_use = false');
});

const useSecret = () => fixture.valueOf<boolean>('select usage.use_event_id_secret()');
const newReader = () => fixture.newReader(fixture.storeOver(fixture.database));

async function bothOf(key: string): Promise<{ old: UsageEventRecord; keyed: UsageEventRecord }> {
  const secret = await fixture.valueOf<string>('select secret from usage.event_id_secret');
  const event = usageEvent({ key, duration_ms: 7 });
  const later = { occurred_at: toIso(startMs - 60_000), received_at: toIso(startMs + 5_000) };
  return {
    old: { ...event, event_id: oldKeyedEventId({ accountId: consumerId, key }) },
    keyed: { ...event, ...later, event_id: keyedEventId(secret, { accountId: consumerId, key }) },
  };
}

describe('an event that was counted before ids had a secret', () => {
  it('F191 counts once when its repeat has the other id, for ever', async () => {
    const { old, keyed } = await bothOf('order-1');
    await newReader()(batchOf([old]));
    expect(await useSecret()).toBe(true);
    await newReader()(batchOf([keyed, old], 1n));
    await newReader()(batchOf([keyed], 0n, 1));
    expect([await fixture.rollups(), await fixture.count('usage.event_key')]).toEqual([once, 1]);
  });

  it('F191 F06 is a conflict when the other id comes with another body', async () => {
    const { old } = await bothOf('order-2');
    await newReader()(batchOf([old]));
    await useSecret();
    const other = await bothOf('order-2');
    const changed = usageEvent({ key: 'order-2', duration_ms: 8 });
    await newReader()(batchOf([{ ...changed, event_id: other.keyed.event_id }], 1n));
    expect(await fixture.rollups()).toEqual(once);
    expect(await fixture.valueOf('select json_agg(event_id) from usage.dead_letter')).toEqual([old.event_id]);
  });
});

describe('a record of before the secret that is counted after it', () => {
  it('F191 counts once beside its repeat with the other id, in one batch and in any order', async () => {
    const [one, two] = [await bothOf('order-3'), await bothOf('order-4')];
    await useSecret();
    await newReader()(batchOf([one.old, one.keyed, two.keyed, two.old]));
    await newReader()(batchOf([two.old, one.keyed, one.old, two.keyed], 0n, 1));
    expect(await fixture.count('usage.event')).toBe(2);
  });

  it('is found by the id that its caller was given', async () => {
    const { old, keyed } = await bothOf('order-5');
    await useSecret();
    await newReader()(batchOf([old]));
    const found = await fixture.valueOf('select json_agg(event_id) from usage.event_key');
    expect(new Set(found as string[])).toEqual(new Set([old.event_id, keyed.event_id]));
  });
});

describe('putting the secret into use', () => {
  it('F191 waits for a flush under way, so that no two flushes claim one key under two ids', async () => {
    const { old, keyed } = await bothOf('order-6');
    let used: Promise<boolean> | undefined;
    const flushing = fixture.database.transaction(async (tx) => {
      await tx.query('update usage.cursor set next_offset = next_offset where partition = 1', []); // a flush has its cursor
      used = useSecret();
      await waitForLock();
      await tx.query(`insert into usage.event_key values ($1, $2, '', now())`, [old.event_id, consumerId]);
    });
    await flushing;
    expect(await used).toBe(true);
    await newReader()(batchOf([keyed]));
    expect(await fixture.count('usage.event')).toBe(0);
  });

  /** The fixture's owner waits itself, so another connection looks. */
  async function waitForLock(): Promise<void> {
    const text = `select from pg_locks where not granted and relation = 'usage.cursor'::regclass`;
    await eventually(async () => (await fixture.database.query(text, [])).length === 1, { withinMs: 5_000 });
  }

  it('does it once', async () => {
    expect([await useSecret(), await useSecret()]).toEqual([true, false]);
  });
});
