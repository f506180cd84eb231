import { join } from 'node:path';
import { expect } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { busyMs, eventually } from '@tollgate/testkit/eventually';
import { createHttpClient } from '@tollgate/testkit/http-client';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { describeInTurn } from '@tollgate/testkit/in-turn';
import { connectOracleDatabase, type OracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import type { ServiceName } from '@tollgate/testkit/service-process';
import { takeConnections } from '@tollgate/testkit/take-connections';
import { itWith, openFolder } from '../it-with.ts';
import { signIn, signInBody } from '../register-cast.ts';
import { startKillablePostgres } from '../storm/killable-postgres.ts';
import { expectCountedOnce } from './expect-counted-once.ts';
import { openKafkaShape } from './kafka-shape.ts';

const describeKafka = await describeWithKafka();

const log = createLogger({ name: 'no-connections', level: 'silent' });
const countedMeanwhileMin = 1_000;
/** The aggregator opens as many connections as it may need at once: later it could not get them. */
const heldByAggregator = 6;
/** A request waits 2 s for a connection, and longer on a busy machine. */
const answerMsMax = 2_000 + busyMs;

const isOther = "usename ~ '_(api|worker)$' and usename <> 'aggregator_worker'";
const endOthers = `select pg_terminate_backend(pid) from pg_stat_activity where ${isOther}`;
/** Connections of other services than the aggregator, also those that are being made, and connections that are free. */
const countConnections = `
  select count(*) filter (where ${isOther} or usename is null)::int as others, (current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int - count(*))::int as free
    from pg_stat_activity where backend_type = 'client backend'`;
const aggregatorsConnections = "select pid from pg_stat_activity where application_name = 'aggregator' order by pid";

describeInTurn(describeKafka)('a PostgreSQL whose every connection is taken by idle clients', () => {
  const it = itWith(async (undo) => {
    const postgres = await startKillablePostgres(join(openFolder('no-connections-data', undo), 'data'), log);
    undo(() => postgres.stop());
    const { ownerUrl, urlFor } = postgres;
    const services = ['auth', 'billing', 'ingest-gateway'] as const;
    const shape = await openKafkaShape({ name: 'no-connections', database: postgres, partitions: 4, services }, undo);
    // It takes one of the few connections kept for superusers.
    const superuser = await connectOracleDatabase(urlFor('postgres'));
    undo(() => superuser.end());
    await shape.deployment.add('aggregator'); // alone: it must get all its connections at its start
    const load = await shape.startLoad({ clients: 3 });
    const token = await signIn(shape.client, 'builder');
    await eventually(async () => (await countedIn(superuser)) > countedMeanwhileMin, { withinMs: 60_000 });

    const ask = async (name: ServiceName, path: string, body?: object) => {
      const startedMs = systemClock.monotonicMs();
      const client = createHttpClient({ baseUrl: shape.deployment.first(name).url });
      const answer = await client(body ? 'POST' : 'GET', path, { token, ...(body && { body }) });
      const tookMs = Math.round(systemClock.monotonicMs() - startedMs);
      return { path, status: answer.status, retryAfter: answer.headers.get('retry-after'), tookMs };
    };
    return { ownerUrl, superuser, shape, load, ask };
  });

  it('F40 answers 503 in time, takes events of known callers, and counts on as usual', async (opened) => {
    const { ownerUrl, superuser, shape, load, ask } = opened;
    const aggregator = shape.deployment.first('aggregator');
    const held = (await superuser.query(aggregatorsConnections)).rows;
    expect(held).toHaveLength(heldByAggregator);
    const printedBefore = aggregator.output().length;
    const taken = await takeConnections(ownerUrl);
    try {
      await eventually(() => othersHaveNone(superuser), { withinMs: 20_000 });
      const before = { counted: await countedIn(superuser), acknowledged: load.acknowledged() };
      const refusals = await Promise.all([
        ask('auth', '/v1/auth/login', signInBody('builder')),
        ask('billing', '/v1/tools'),
        ask('billing', '/v1/usage'),
        ask('ingest-gateway', '/v1/events'),
      ]);
      process.stderr.write(`no connections: ${JSON.stringify(refusals)}\n`);
      const countsOn = async () => (await countedIn(superuser)) > before.counted + countedMeanwhileMin;
      await eventually(countsOn, { withinMs: 30_000 });
      expect(load.acknowledged()).toBeGreaterThan(before.acknowledged);
      for (const { status, retryAfter, tookMs } of refusals) {
        expect([status, retryAfter]).toEqual([503, '1']);
        expect(tookMs).toBeLessThan(answerMsMax);
      }
      expect((await superuser.query(aggregatorsConnections)).rows).toEqual(held);
      expect(aggregator.output().slice(printedBefore)).not.toContain('cannot reach its storage');
    } finally {
      await taken.giveBack();
    }
    await eventually(async () => (await ask('billing', '/v1/tools')).status === 200, { withinMs: 10_000 });
    const { unknown } = await expectCountedOnce(shape, 'no connections');
    expect(unknown).toBe(0);
  }, 180_000);
});

/** Ends the connections of the other services. True once they have none and no connection is free. */
async function othersHaveNone(superuser: OracleDatabase): Promise<boolean> {
  await superuser.query(endOthers);
  const { rows } = await superuser.query<{ others: number; free: number }>(countConnections);
  return rows[0]?.others === 0 && rows[0].free <= 0;
}

async function countedIn(database: OracleDatabase): Promise<number> {
  const { rows } = await database.query<{ events: number }>('select count(*)::int as events from usage.event');
  return rows[0]?.events ?? 0;
}
