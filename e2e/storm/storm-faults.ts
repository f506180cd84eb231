import { hourMs } from '@tollgate/kernel/durations';
import { setTimeout as sleep } from 'node:timers/promises';
import { usageEventsTopic } from '@tollgate/contracts/events/event-record';
import type { FaultProxy } from '@tollgate/testkit/fault-proxy';
import { isProduce, withErrorCode } from '@tollgate/testkit/kafka/kafka-requests';
import { repeatRecords } from '@tollgate/testkit/kafka/repeat-records';
import { connectOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import type { StormDeployment } from './storm-deployment.ts';
import type { SupervisedService } from './supervised-service.ts';

/** A kind of fault and how it strikes. */
export interface StormFault {
  readonly kind: string;
  /** The part that it strikes. Two faults that strike together have different targets. */
  readonly target: string;
  /** A fault without it is possible on every machine. */
  isPossible?(deployment: StormDeployment): boolean;
  /** Resolves when the fault is over: a killed server takes requests again, a link is healed. */
  strike(deployment: StormDeployment, random: SeededRandom): Promise<void>;
}

interface Freezable {
  /** A service is frozen at once, a server when the promise resolves. */
  freeze(): void | Promise<void>;
  thaw(): void | Promise<void>;
}

type Milliseconds = readonly [least: number, most: number];

const invalidRecord = 87;
const answerPatienceMs = 5_000;
/** Longer than the group waits for a silent member. */
const zombieMs: Milliseconds = [11_000, 14_000];

const faultsOf: readonly (readonly StormFault[])[] = [
  ...['ingest-gateway-1', 'ingest-gateway-2', 'aggregator-1', 'aggregator-2'].map(serviceFaults),
  ['aggregator-1', 'aggregator-2'].map((name) => ofService('zombie', name, frozen(zombieMs))),
  ['auth', 'billing'].map((name) => ofService('killed', name, (service) => service.kill())),
  ['ingest-gateway-1', 'ingest-gateway-2', 'auth', 'billing'].map((name) => wrongClock(name, 'ahead')),
  // No aggregator's clock is ahead by an hour: its watermark would pass events still to come. CLOCK_SKEW_MAX_MS is the limit.
  ['ingest-gateway-1', 'ingest-gateway-2', 'aggregator-1', 'aggregator-2', 'auth', 'billing'].map((name) =>
    wrongClock(name, 'behind'),
  ),
  linkFaults('kafka', (deployment) => deployment.links.kafka),
  linkFaults('PostgreSQL, gateways', (deployment) => deployment.links.gatewayPostgres),
  linkFaults('PostgreSQL, aggregators', (deployment) => deployment.links.aggregatorPostgres),
  linkFaults('Redis', (deployment) => deployment.links.redis),
  serverFaults(),
];

/** The faults that are possible on this machine, all equally frequent. */
export function faultsFor(deployment: StormDeployment): readonly StormFault[] {
  return faultsOf.flat().filter(({ isPossible }) => isPossible?.(deployment) ?? true);
}

function serviceFaults(name: string): StormFault[] {
  return [
    ofService('killed', name, (service) => service.kill()),
    ofService('replaced', name, (service) => service.replace()),
    ofService('frozen', name, frozen([200, 4_000])),
  ];
}

function ofService(
  what: string,
  name: string,
  strike: (service: SupervisedService, random: SeededRandom) => Promise<void>,
): StormFault {
  const kind = `${name.replace(/-\d$/, '')} ${what}`;
  return {
    kind,
    target: name,
    async strike({ services }, random) {
      const service = services.get(name);
      if (service === undefined) throw new Error(`there is no ${name}`);
      await strike(service, random);
    },
  };
}

function frozen(forMs: Milliseconds) {
  return (part: Freezable, random: SeededRandom) =>
    held(random.integer(...forMs), { begin: part.freeze, end: part.thaw });
}

/** Sets the clock an hour back or ahead, and right again after some seconds. */
function wrongClock(name: string, where: 'ahead' | 'behind'): StormFault {
  const offMs = where === 'ahead' ? hourMs : -hourMs;
  return ofService(`clock an hour ${where}`, name, (service, random) =>
    held(random.integer(500, 14_000), { begin: () => service.setClockOff(offMs), end: () => service.setClockOff(0) }),
  );
}

function linkFaults(name: string, linkOf: (deployment: StormDeployment) => FaultProxy): StormFault[] {
  const lasting = (what: string, begin: (link: FaultProxy, random: SeededRandom) => void): StormFault => ({
    kind: `link to ${name} ${what}`,
    target: `link to ${name}`,
    strike(deployment, random) {
      const link = linkOf(deployment);
      return held(random.integer(200, 2_500), { begin: () => begin(link, random), end: link.heal });
    },
  });
  return [
    lasting('cut', (link) => link.cut()),
    lasting('stalled', (link) => link.stall()),
    lasting('delayed', (link, random) => link.delay(random.integer(10, 200))),
    lasting('throttled', (link, random) => link.throttle(random.integer(20_000, 200_000))),
    lasting('sliced', (link) => link.slice(50)),
    lasting('half open', (link) => link.halfOpen()),
  ];
}

function serverFaults(): StormFault[] {
  return [
    server('kafka', 'broker killed', async ({ broker }, random) => {
      await broker.kill();
      await sleep(random.integer(0, 1_000));
      await broker.start();
    }),
    server('kafka', 'broker frozen', ({ broker }, random) => frozen([200, 5_000])(broker, random)),
    {
      kind: 'disk of the log full',
      target: 'kafka',
      isPossible: ({ logDisk }) => logDisk !== undefined,
      async strike({ broker, logDisk }, random) {
        await logDisk?.fill();
        await sleep(random.integer(500, 4_000)); // the broker ends with the first write that fails
        logDisk?.free();
        await broker.kill();
        await broker.start();
      },
    },
    server('kafka', 'answer to an append lost', ({ links }) => happens(links.kafka.dropAnswer(isProduce))),
    server('kafka', 'append refused', ({ links }) =>
      happens(links.kafka.changeAnswer(isProduce, (answer) => withErrorCode(answer, invalidRecord))),
    ),
    server('kafka', 'records repeated', ({ broker }, random) =>
      repeatRecords(broker.address, usageEventsTopic, { count: random.integer(1, 500) }),
    ),
    server('group', 'aggregator joins and leaves', async ({ joinAggregator }, random) => {
      const joined = joinAggregator();
      await joined.up();
      await sleep(random.integer(0, 2_000));
      await joined.destroy();
    }),
    server('PostgreSQL', 'PostgreSQL killed', async ({ postgres }, random) => {
      await postgres.kill();
      await sleep(random.integer(0, 1_000));
      await postgres.start();
    }),
    server('PostgreSQL', 'PostgreSQL frozen', ({ postgres }, random) => frozen([200, 4_000])(postgres, random)),
    server('PostgreSQL', 'connections terminated', ({ postgres }) =>
      asSuperuser(
        postgres.urlFor('postgres'),
        `select pg_terminate_backend(pid) from pg_stat_activity where usename like '%\\_worker' or usename like '%\\_api'`,
      ),
    ),
    server('PostgreSQL', 'rollups locked', ({ postgres }, random) =>
      asSuperuser(
        postgres.urlFor('postgres'),
        `begin; lock table usage.rollup in access exclusive mode; select pg_sleep(${random.integer(200, 4_000) / 1_000})`,
      ),
    ),
    server('link to PostgreSQL, aggregators', 'answer to a commit lost', ({ links }) =>
      happens(links.aggregatorPostgres.dropAnswer((bytes) => bytes.includes('commit'))),
    ),
    server('Redis', 'Redis killed', async ({ redis }, random) => {
      await redis.kill();
      await sleep(random.integer(0, 2_000));
      await redis.start();
    }),
    server('Redis', 'Redis frozen', ({ redis }, random) => frozen([200, 4_000])(redis, random)),
  ];
}

function server(target: string, kind: string, strike: StormFault['strike']): StormFault {
  return { kind, target, strike };
}

interface Hold {
  readonly begin: () => void | Promise<void>;
  readonly end: () => void | Promise<void>;
}

async function held(forMs: number, { begin, end }: Hold): Promise<void> {
  await begin();
  await sleep(forMs);
  await end();
}

/** Waits at most five seconds for traffic that the fault can strike. Without any, it strikes later. */
async function happens(struck: Promise<void>): Promise<void> {
  await Promise.race([struck, sleep(answerPatienceMs, undefined, { ref: false })]);
}

async function asSuperuser(url: string, text: string): Promise<void> {
  const client = await connectOracleDatabase(url);
  try {
    await client.query(text).catch(() => undefined); // a deadlock with a flush is a fault too
  } finally {
    await client.end();
  }
}
