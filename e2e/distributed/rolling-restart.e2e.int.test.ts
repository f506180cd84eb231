import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import { createHttpClient, type HttpClient } from '@tollgate/testkit/http-client';
import { openJournal } from '@tollgate/testkit/load/journal';
import { startLoad, type Load } from '@tollgate/testkit/load/start-load';
import { connectOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { postgresLog } from '@tollgate/testkit/oracles/postgres-log';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { describeWithRedis } from '@tollgate/testkit/redis';
import { startRedis, type RedisServer } from '@tollgate/testkit/redis/start-redis';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import type { ServiceName } from '@tollgate/testkit/service-process';
import { buildStandalone } from '@tollgate/testkit/standalone-process';
import { judgeRun } from '../judge-run.ts';
import { registerCast, type Cast } from '../register-cast.ts';
import { openDeployment, type Deployment, type Ending } from './deployment.ts';

const clients = 4;
const answersBetween = 40;
const drainMaxMs = 10_000;
const services: readonly ServiceName[] = ['ingest-gateway', 'aggregator', 'auth', 'billing'];
const others: readonly ServiceName[] = [...services.slice(1), 'ingest-gateway', 'aggregator'];

describeWithRedis('four services as processes of their own, two gateways and two aggregators', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-distributed-'));
  const journalPath = join(folder, 'journal.ndjson');
  let database: TestDatabase;
  let redis: RedisServer;
  let deployment: Deployment;
  let load: Load | undefined;
  let isProven = false;

  beforeAll(async () => {
    await buildStandalone();
    database = await testDatabase();
    redis = await startRedis();
    deployment = await openDeployment({
      urlFor: database.urlFor,
      settings: { REDIS_URL: redis.url },
      nowMs: systemClock.monotonicMs,
    });
  }, 120_000);
  afterAll(async () => {
    load?.stop();
    if (!isProven) writeFileSync(join(folder, 'output.txt'), deployment.output());
    await deployment.destroy();
    await redis.stop();
    await database.drop();
    if (isProven) rmSync(folder, { recursive: true, force: true });
    else process.stderr.write(`the rolling restart failed; journal and output: ${folder}\n`);
  });

  it('F87 counts everything once through a rolling restart of each under load, and no request fails', async () => {
    await deployment.add('ingest-gateway'); // its start makes the topic, which an aggregator asks for
    await Promise.all(others.map((name) => deployment.add(name)));
    const client = createHttpClient({ baseUrl: deployment.router.baseUrl });
    const random = seededRandom('rolling restart');
    const cast = await registerCast(client, 6);
    const journal = openJournal(journalPath);
    load = startLoad({
      baseUrl: async () => deployment.router.baseUrl,
      accounts: cast.consumers,
      toolIds: cast.toolIds,
      journal,
      random: random.fork(),
      clients,
    });
    const readers = startReaders(client, cast);

    const endings: Ending[] = [];
    const postPaths: Partial<Record<ServiceName, string>> = {
      'ingest-gateway': '/v1/events',
      auth: '/v1/api-keys',
      billing: '/v1/tools',
    };
    for (const name of services) {
      const path = postPaths[name];
      await loadGoesOn(load);
      endings.push(
        ...(await deployment.replaceAll(name, path === undefined ? undefined : { path, token: cast.builderToken })),
      );
    }
    await loadGoesOn(load);
    await load.settle({ withinMs: 30_000 });
    await readers.stop();
    await journal.close();

    const { violations, ...figures } = await judge(cast);
    process.stderr.write(`rolling restart: ${JSON.stringify({ seed: random.seed, ...figures, endings })}\n`);
    expect(deployment.router.failures()).toEqual([]);
    expect([...violations, ...load.contradictions]).toEqual([]);
    expect(figures).toMatchObject({ unknown: 0, lost: 0, doubled: 0, invented: 0 });
    expect(readers.answers()).toBeGreaterThan(0);
    expect(endings.map(({ name, code, heldStatus }) => [name, code, heldStatus])).toEqual([
      ['ingest-gateway', 0, 400],
      ['ingest-gateway', 0, 400],
      ['aggregator', 0, undefined],
      ['aggregator', 0, undefined],
      ['auth', 0, 400],
      ['billing', 0, 400],
    ]);
    expect(Math.max(...endings.map(({ tookMs }) => tookMs))).toBeLessThan(drainMaxMs);
    isProven = true;
  }, 180_000);

  async function judge(cast: Cast) {
    const oracle = await connectOracleDatabase(database.ownerUrl);
    try {
      const client = createHttpClient({ baseUrl: deployment.router.baseUrl });
      return await judgeRun({ database: oracle, log: postgresLog, journalPath, client, cast });
    } finally {
      await oracle.end();
    }
  }
});

function loadGoesOn(load: Load): Promise<boolean> {
  const from = load.answered();
  return eventually(() => load.answered() - from > answersBetween, { withinMs: 30_000 });
}

/** Requests to the services that take no events. */
function startReaders(client: HttpClient, { builderToken, consumers }: Cast) {
  const [{ credentials }] = consumers;
  const token = credentials[0];
  let isRunning = true;
  let answers = 0;

  async function readOn(): Promise<void> {
    while (isRunning) {
      await client('GET', '/v1/auth/me', { token });
      await client('GET', '/v1/tools', { token: builderToken });
      await client('GET', '/v1/usage', { token });
      await client('GET', '/v1/events', { token });
      answers += 4;
    }
  }
  const reading = readOn();
  return {
    answers: () => answers,
    async stop() {
      isRunning = false;
      await reading;
    },
  };
}
