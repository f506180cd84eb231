import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import { createHttpClient } from '@tollgate/testkit/http-client';
import { openJournal } from '@tollgate/testkit/load/journal';
import { isPossible, readJournal, type JournaledEvent } from '@tollgate/testkit/load/read-journal';
import { startLoad, type Load } from '@tollgate/testkit/load/start-load';
import { checkUsage } from '@tollgate/testkit/oracles/check-usage';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { registerCast, type Cast } from '../register-cast.ts';
import {
  containersOf,
  crash,
  isHealthy,
  readCountedRefs,
  restartsOf,
  sizesOfImages,
  type Container,
} from './compose-project.ts';

const help = `Usage: pnpm kill-containers [--base-url http://127.0.0.1:8080] [--rounds 1] [--rate 150]

For a Tollgate that runs by docker compose: docker compose up --build --wait --scale ingest-gateway=2 --scale aggregator=2
Sends events by HTTP and meanwhile kills one container of each kind in turn. In the end each acknowledged event must be counted
once, no event that was not sent, and /v1/usage must show their sums. Docker must start the containers again. None of our
images may be larger than 250 MB.
  --rounds  how often each kind is killed
  --rate    events per second, on average
Exits with 1 if a single event is wrong, or an image too large. FAULT_SEED=<seed> repeats the same kills.
`;
const kinds = ['ingest-gateway', 'aggregator', 'auth', 'billing', 'notifier', 'kafka', 'postgres', 'redis', 'edge'];
const consumers = 6;
const clients = 8;
const recoveryPatienceMs = 300_000;
const settlePatienceMs = 120_000;
/** The time between two counts that must agree before counting is taken as finished. */
const calmMs = 3_000;
const imageBytesMax = 250e6;

const { values } = parseArgs({
  options: {
    'base-url': { type: 'string', default: 'http://127.0.0.1:8080' },
    rounds: { type: 'string', default: '1' },
    rate: { type: 'string', default: '150' },
    help: { type: 'boolean', default: false },
  },
});
const { 'base-url': baseUrl } = values;
const [rounds, eventsPerSecond] = [Number(values.rounds), Number(values.rate)];
const say = (line: string) => void process.stdout.write(`${line}\n`);
if (values.help || !(rounds > 0 && eventsPerSecond > 0)) {
  say(help);
  process.exitCode = values.help ? 0 : 2;
} else {
  process.exitCode = (await killAll()) ? 0 : 1;
}

async function killAll(): Promise<boolean> {
  const random = seededRandom('kill-containers');
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-compose-'));
  const journal = openJournal(join(folder, 'journal.ndjson'));
  const client = createHttpClient({ baseUrl });
  const mark = `-${String(random.seed)}`;
  const cast = await registerCast(client, consumers, mark);
  const answers = noteServed();
  const load = startLoad({
    baseUrl: async () => baseUrl,
    accounts: cast.consumers,
    toolIds: cast.toolIds,
    journal,
    random: random.fork(),
    clients,
    eventsPerSecond,
    onAnswer: answers.note,
  });
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const kind of kinds) {
        const container = random.pick(await containersOf(kind));
        say(JSON.stringify({ killed: container.name, ...(await killAndWait(container, load, answers)) }));
      }
    }
    await load.settle({ withinMs: settlePatienceMs });
    await journal.close();
  } finally {
    load.stop();
  }
  const { violations, ...figures } = await judge(cast, readJournal(journal.path));
  say(JSON.stringify({ kills: rounds * kinds.length, seed: random.seed, ...figures }));
  const wrong = [...(await largeImages()), ...violations, ...load.contradictions];
  for (const what of wrong.slice(0, 50)) say(what);
  if (wrong.length === 0) rmSync(folder, { recursive: true });
  else say(`the clients' journal: ${folder}`);
  return wrong.length === 0;
}

async function largeImages(): Promise<string[]> {
  const sizes = [...(await sizesOfImages())];
  say(
    JSON.stringify({ imagesMb: Object.fromEntries(sizes.map(([image, bytes]) => [image, Math.round(bytes / 1e6)])) }),
  );
  const large = sizes.filter(([, bytes]) => !(bytes <= imageBytesMax));
  return large.map(([image, bytes]) => `${image} has ${bytes} bytes, more than ${imageBytesMax}`);
}

/** Notes when the latest request was sent that was served. */
function noteServed() {
  let servedMs = 0;
  return {
    note: ({ sentMs, isServed }: { sentMs: number; isServed: boolean }): void => {
      if (isServed) servedMs = Math.max(servedMs, sentMs);
    },
    isServedSince: (atMs: number): boolean => servedMs > atMs,
  };
}

/** Kills a container. Measures the ms until Docker finds it healthy, and until an event sent after the kill is recorded. */
async function killAndWait(
  container: Container,
  load: Load,
  answers: ReturnType<typeof noteServed>,
): Promise<{ healthyMs: number; servedMs: number }> {
  await load.goesOn(clients);
  const restarts = await restartsOf(container);
  await crash(container);
  const deadMs = systemClock.monotonicMs();
  const since = () => Math.round(systemClock.monotonicMs() - deadMs);
  const [servedMs, healthyMs] = await Promise.all([
    eventually(() => answers.isServedSince(deadMs), { withinMs: recoveryPatienceMs }).then(since),
    eventually(async () => (await restartsOf(container)) > restarts && (await isHealthy(container)), {
      withinMs: recoveryPatienceMs,
      everyMs: 200,
    }).then(since),
  ]);
  return { healthyMs, servedMs };
}

async function judge(cast: Cast, journal: ReadonlyMap<string, JournaledEvent>) {
  const events = [...journal.values()];
  const acknowledged = events.filter(({ acknowledgements }) => acknowledgements.length > 0);
  const readRefs = () => readCountedRefs(cast.consumers.map(({ consumerId }) => consumerId));
  const refs = await waitUntilCounted(acknowledged, readRefs);
  const counted = new Set(refs);
  const lost = acknowledged.filter(({ event }) => !counted.has(event.ref)).length;
  const doubled = refs.length - counted.size;
  const possible = new Set(events.filter(isPossible).map(({ event }) => event.ref));
  const invented = [...counted].filter((ref) => !possible.has(ref)).length;
  const usage = await checkUsage(
    createHttpClient({ baseUrl }),
    { token: cast.builderToken, role: 'builder' },
    {
      events: events.map(({ event }) => event).filter(({ ref }) => counted.has(ref)),
      measuredToolIds: cast.measuredToolIds,
      nowMs: systemClock.now(),
    },
  );
  const figures = { acknowledged: acknowledged.length, counted: refs.length, lost, doubled, invented };
  const wrong = Object.entries({ lost, doubled, invented }).filter(([, count]) => count > 0);
  return { ...figures, violations: [...wrong.map(([what, count]) => `${what}: ${count}`), ...usage] };
}

/** Waits until every acknowledged event is counted, or time runs out, and the count stands still. Returns the counted refs. */
async function waitUntilCounted(
  acknowledged: readonly JournaledEvent[],
  readRefs: () => Promise<string[]>,
): Promise<string[]> {
  const isAllThere = async (): Promise<boolean> => {
    const counted = new Set(await readRefs());
    return acknowledged.every(({ event }) => counted.has(event.ref));
  };
  await eventually(isAllThere, { withinMs: settlePatienceMs, everyMs: calmMs }).catch(() => undefined);
  let before = -1;
  const isCalm = async (): Promise<boolean> => {
    const now = (await readRefs()).length;
    const isSame = now === before;
    before = now;
    return isSame;
  };
  await eventually(isCalm, { withinMs: settlePatienceMs, everyMs: calmMs });
  return readRefs();
}
