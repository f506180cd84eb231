import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { migrate } from '@tollgate/database/migrate';
import { busyMs, eventually } from '@tollgate/testkit/eventually';
import { createHttpClient } from '@tollgate/testkit/http-client';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import type { Load } from '@tollgate/testkit/load/start-load';
import { describeOfMinutes } from '@tollgate/testkit/minutes';
import { connectOracleDatabase, type OracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import type { ServiceProcess } from '@tollgate/testkit/service-process';
import { signIn } from '../register-cast.ts';
import { startKillablePostgres, type KillablePostgres } from '../storm/killable-postgres.ts';
import { expectCountedOnce } from './expect-counted-once.ts';
import { openKafkaShape, type KafkaShape } from './kafka-shape.ts';
import { takeConnections, type TakenConnections } from '@tollgate/testkit/take-connections';

const describeKafka = await describeWithKafka();

const log = createLogger({ name: 'no-connections', level: 'silent' });
const countedMeanwhileMin = 1_000;
/** All that it may need at once, though never in a quiet hour: it could not get the others now. */
const heldByAggregator = 6;
/** A caller waits 2 s for a connection, and a little for a busy machine. */
const answerMsMax = 2_000 + busyMs;
const isOther = "usename ~ '_(api|worker)$' and usename <> 'aggregator_worker'";

describeOfMinutes('a PostgreSQL whose every connection is taken', () => {
  describeKafka('by those who do nothing with it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-no-connections-'));
    chmodSync(folder, 0o711); // root's PostgreSQL runs as somebody else, who must get through
    let postgres: KillablePostgres;
    let superuser: OracleDatabase;
    let shape: KafkaShape;
    let running: Record<'auth' | 'billing' | 'gateway' | 'aggregator', ServiceProcess>;
    let load: Load;
    let token: string;
    let taken: TakenConnections | undefined;
    let isProven = false;

    beforeAll(async () => {
      postgres = await startKillablePostgres(join(folder, 'data'), log);
      const { ownerUrl, urlFor, rolePassword } = postgres;
      await migrate({ ownerUrl, rolePasswords: rolePassword, log });
      superuser = await connectOracleDatabase(urlFor('postgres')); // a few connections are kept for such as this one
      shape = await openKafkaShape({ name: 'no-connections', urlFor, ownerUrl, partitions: 4 });
      const names = ['auth', 'billing', 'ingest-gateway'] as const;
      const [auth, billing, gateway] = (await Promise.all(names.map((name) => shape.deployment.add(name)))) as [
        ServiceProcess,
        ServiceProcess,
        ServiceProcess,
      ];
      const aggregator = await shape.deployment.add('aggregator'); // alone: it must get all that it holds at its start
      running = { auth, billing, gateway, aggregator };
      load = await shape.startLoad({ clients: 3 });
      token = await signIn(shape.client, 'builder');
      await eventually(async () => (await counted()) > countedMeanwhileMin, { withinMs: 60_000 });
    }, 180_000);
    afterAll(async () => {
      await taken?.giveBack();
      await superuser?.end();
      await shape?.destroy(isProven);
      await postgres?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    it('F40 answers 503 in time, takes events of those it knows, and counts on as if nothing were', async () => {
      const { auth, billing, gateway, aggregator } = running;
      const held = await aggregatorsConnections();
      expect(held).toHaveLength(heldByAggregator);
      const saidBefore = aggregator.output().length;
      taken = await takeConnections(postgres.ownerUrl);
      await eventually(othersHaveNone, { withinMs: 20_000 });

      const before = { counted: await counted(), acknowledged: load.acknowledged() };
      const refusals = await Promise.all([
        ask(auth, '/v1/auth/login', { email: 'builder@example.com', password: 'builder horse battery staple' }),
        ask(billing, '/v1/tools'),
        ask(billing, '/v1/usage'),
        ask(gateway, '/v1/events'),
      ]);
      await eventually(async () => (await counted()) > before.counted + countedMeanwhileMin, { withinMs: 30_000 });
      expect(load.acknowledged()).toBeGreaterThan(before.acknowledged);
      for (const { status, retryAfter, tookMs } of refusals) {
        expect([status, retryAfter]).toEqual([503, '1']);
        expect(tookMs).toBeLessThan(answerMsMax);
      }
      expect(await aggregatorsConnections()).toEqual(held);
      expect(aggregator.output().slice(saidBefore)).not.toContain('cannot reach its storage');

      await taken.giveBack();
      await eventually(async () => (await ask(billing, '/v1/tools')).status === 200, { withinMs: 10_000 });
      const { unknown } = await expectCountedOnce(shape, 'no connections', { refusals });
      expect(unknown).toBe(0);
      isProven = true;
    }, 180_000);

    /** Ends what other services than the aggregator have, until they have none, nor one in the making, and all is taken. */
    async function othersHaveNone(): Promise<boolean> {
      await superuser.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${isOther}`);
      const { rows } = await superuser.query<{ others: number; free: number }>(
        `select count(*) filter (where ${isOther} or usename is null)::int as others, (current_setting('max_connections')::int
            - current_setting('superuser_reserved_connections')::int - count(*))::int as free
          from pg_stat_activity where backend_type = 'client backend'`,
      );
      return rows[0]?.others === 0 && rows[0].free <= 0;
    }

    async function aggregatorsConnections(): Promise<number[]> {
      const { rows } = await superuser.query<{ pid: number }>(
        "select pid from pg_stat_activity where application_name = 'aggregator' order by pid",
      );
      return rows.map(({ pid }) => pid);
    }

    async function counted(): Promise<number> {
      const { rows } = await superuser.query<{ events: number }>('select count(*)::int as events from usage.event');
      return rows[0]?.events ?? 0;
    }

    async function ask(service: ServiceProcess, path: string, body?: object) {
      const startedMs = systemClock.monotonicMs();
      const client = createHttpClient({ baseUrl: service.url });
      const answer = await client(body ? 'POST' : 'GET', path, { token, ...(body && { body }) });
      const tookMs = Math.round(systemClock.monotonicMs() - startedMs);
      return { path, status: answer.status, retryAfter: answer.headers.get('retry-after'), tookMs };
    }
  });
});
