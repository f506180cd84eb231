import { randomUUID } from 'node:crypto';
import { useOnce } from '@tollgate/testkit/use-world';
import { describe, expect, it } from '@jest/globals';
import { withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { testDatabase } from '@tollgate/testkit/postgres';
import { setKeyPartitions } from '../src/key-partitions.ts';

const test = useOnce(() => testDatabase());

const ask = (role: string | undefined, text: string, values: unknown[] = []) =>
  withOracleDatabase(
    role === undefined ? test.ownerUrl : test.urlFor(role),
    async (database) => (await database.query<{ count: number }>(text, values)).rows[0]?.count,
  );
const partitions = () =>
  ask(undefined, `select count(*)::int from pg_inherits where inhparent = 'usage.event_key'::regclass`);
const putKey = () => ask('aggregator_worker', `insert into usage.event_key values ($1, $1, '', now())`, [randomUUID()]);

describe('the partitions of the table of keys', () => {
  it('are as many as the operator wants before the first key, and services use them', async () => {
    await setKeyPartitions(test.ownerUrl, 128);
    expect(await partitions()).toBe(128);
    for (let key = 0; key < 20; key += 1) await putKey();
    expect(await ask('ingest_gateway_worker', 'select count(*)::int from usage.event_key_v1')).toBe(20);
  });

  it('F196 stay as they are once there is a key, and asking for the same number again changes nothing', async () => {
    await expect(setKeyPartitions(test.ownerUrl, 64)).rejects.toThrow('has keys already');
    await setKeyPartitions(test.ownerUrl, 128);
    expect([await partitions(), await ask(undefined, 'select count(*)::int from usage.event_key')]).toEqual([128, 20]);
  });

  it('keep the keys of one account from another', async () => {
    expect(await ask('ingest_gateway_api', 'select count(*)::int from usage.event_key_v1')).toBe(0);
  });

  it.each([0, 1_025])('are never %d', async (count) => {
    await expect(setKeyPartitions(test.ownerUrl, count)).rejects.toThrow('from 1 to 1024');
  });
});
