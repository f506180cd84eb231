import { startFaultProxy, type FaultProxy } from '@tollgate/testkit/fault-proxy';
import { eventually } from '@tollgate/testkit/eventually';
import { connectOracleDatabase, type OracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { testDatabase } from '@tollgate/testkit/postgres';
import { startRedis } from '@tollgate/testkit/redis/start-redis';
import type { ServiceProcess } from '@tollgate/testkit/service-process';
import type { Undo } from '../it-with.ts';
import { registerAccount } from '../register-cast.ts';
import { registerCapped, type CappedAccount, type Gateway } from './capped-account.ts';
import { openKafkaShape } from './kafka-shape.ts';

/** Gateways on Kafka and Redis, and consumers with budgets. */
export interface GateShape {
  readonly one: Gateway;
  readonly two: Gateway;
  /** Starts a third gateway, whose way to PostgreSQL can be held up. */
  startThird(): Promise<ServiceProcess>;
  /** In the order of the budgets asked for. */
  readonly consumers: readonly CappedAccount[];
  /**
   * Starts a third gateway, sends it this request, and kills it when it waits for the answer of such a statement. Then lets
   * the statement go, and waits until all that the gateway had under way has ended.
   */
  killAt(isStatement: IsStatement, request: (third: Gateway) => Promise<unknown>): Promise<void>;
  /**
   * Names the caps that are wrong at this moment: more than fits, or another amount held than that of its live holds.
   */
  wrongCaps(): Promise<string[]>;
  /** The ids of all counted events of a consumer. */
  countedEvents(of: CappedAccount): Promise<string[]>;
}

export type IsStatement = Parameters<FaultProxy['hold']>[0];

const services = ['auth', 'billing', 'aggregator', 'ingest-gateway'] as const;
const toolId = 'cent';

const wrongCaps = `
  with cap as (
    select c.*, (select coalesce(sum(h.micros), 0) from gate.hold_v1 h
        where c.cap_id = any (h.cap_ids) and h.state in ('open', 'captured')) as live_micros
    from gate.cap_state c
  )
  select format('cap %s, spent %s, held %s, its holds %s', cap_micros, spent_micros, held_micros, live_micros) as wrong
  from cap where held_micros <> live_micros or spent_micros + held_micros > cap_micros`;
const beganBefore = `select from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and xact_start < $1`;

export interface GateShapeOptions {
  /** The budget of each consumer, in dollars. */
  readonly budgets: readonly number[];
  /** API keys of each consumer. */
  readonly keys: number;
}

export async function openGateShape({ budgets, keys }: GateShapeOptions, undo: Undo): Promise<GateShape> {
  const redis = await startRedis();
  undo(() => redis.stop());
  const database = await testDatabase();
  undo(() => database.drop());
  const proxy = await startFaultProxy({ port: Number(new URL(database.ownerUrl).port) });
  undo(() => proxy.close());
  const settings = { REDIS_URL: redis.url };
  const shape = await openKafkaShape({ name: 'gate', database, partitions: 2, settings, services }, undo);
  const superuser = await connectOracleDatabase(database.superuserUrl); // sees when transactions of others began
  undo(() => superuser.end());
  const { client, deployment } = shape;
  const builder = await registerAccount(client, 'builder');
  const tool = { slug: toolId, name: toolId, price: { per_call_usd: '0.01' } };
  const registered = await client('POST', '/v1/tools', { token: builder, body: tool });
  if (registered.status !== 201) throw new Error(`registering the tool: ${registered.text}`);
  const one = deployment.first('ingest-gateway');
  const register = (amountUsd: number, at: number) =>
    registerCapped({ client, gateway: one, name: `capped-${at}`, toolId, amountUsd, keys });
  const consumers = await Promise.all(budgets.map(register));
  const two = await deployment.add('ingest-gateway'); // it has read all budgets when it is ready

  const own = { DATABASE_WORKER_URL: proxy.through(database.urlFor('ingest_gateway_worker')) };
  const startThird = () => deployment.add('ingest-gateway', own);
  return {
    one,
    two,
    startThird,
    consumers,
    async killAt(isStatement, request) {
      const third = await startThird();
      let isWanted = true;
      const held = proxy.hold((...bytes) => isWanted && isStatement(...bytes)).then(() => 'held');
      const answered = request(third).then(
        () => 'answered',
        () => 'no answer',
      );
      const first = await Promise.race([held, answered]);
      isWanted = false;
      if (first !== 'held') throw new Error(`there was no such statement: ${first}`);
      const { at } = await onlyRow<{ at: string }>(superuser, 'select clock_timestamp()::text as at');
      third.signalGroup('SIGKILL');
      await third.exited;
      proxy.heal();
      const hasEnded = async () => (await superuser.query(beganBefore, [at])).rowCount === 0;
      await eventually(hasEnded, { withinMs: 20_000 });
      if ((await answered) !== 'no answer') throw new Error('the gateway answered before it was killed');
    },
    wrongCaps: async () => (await superuser.query<{ wrong: string }>(wrongCaps)).rows.map(({ wrong }) => wrong),
    async countedEvents({ accountId }) {
      const text = 'select event_id from usage.event where consumer_id = $1 order by 1';
      return (await superuser.query<{ event_id: string }>(text, [accountId])).rows.map((row) => row.event_id);
    },
  };
}

async function onlyRow<Row extends object>(database: OracleDatabase, text: string): Promise<Row> {
  const [row] = (await database.query<Row>(text)).rows;
  if (row === undefined) throw new Error('the query returns one row');
  return row;
}
