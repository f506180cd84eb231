import { setTimeout as sleep } from 'node:timers/promises';
import { Tollgate } from '@tollgate/sdk';
import { startFaultProxy, type FaultProxy } from '@tollgate/testkit/fault-proxy';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import { fillDataFolder, startStandalone, type StandaloneProcess } from '@tollgate/testkit/standalone-process';
import type { Undo } from '../it-with.ts';

export interface ServiceInTrouble {
  /** Registers a tool `search` and a caller, whose requests pass the proxy. */
  open(): Promise<{ readonly url: string; readonly apiKey: string }>;
  /** Harms the service or the network for a while, in each round in another way. Resolves when it is over. */
  makeTrouble(random: SeededRandom, round: number): Promise<void>;
  /** Ends all trouble and waits until the service serves. */
  heal(): Promise<void>;
  figures(): Readonly<Record<string, number>>;
}

const troubles = ['none', 'service killed', 'cut', 'stall', 'delay', 'answer lost', 'half open'] as const;

/** The product on a fixed port behind a proxy. */
export async function openServiceInTrouble(dataDir: string, undo: Undo): Promise<ServiceInTrouble> {
  const [port = 0] = await findFreePorts(1);
  const lives: StandaloneProcess[] = [];
  undo(() => Promise.all(lives.map((life) => life.destroy())));
  await fillDataFolder(dataDir);
  await start();
  const proxy = await startFaultProxy({ port });
  undo(() => proxy.close());
  const url = `http://127.0.0.1:${proxy.port}`;
  const figures: Record<string, number> = {};

  async function start(): Promise<void> {
    const life = startStandalone({ dataDir, args: ['--port', String(port)] });
    lives.push(life);
    await life.ready();
  }

  async function makeTrouble(random: SeededRandom, round: number): Promise<void> {
    const trouble = troubles[round % troubles.length] ?? 'none';
    const [startMs, lastingMs] = [random.integer(0, 200), random.integer(10, 1_500)];
    figures[trouble] = (figures[trouble] ?? 0) + 1;
    await sleep(startMs);
    if (trouble === 'service killed') {
      await lives.at(-1)?.killAll();
      return start();
    }
    harmNetwork(proxy, trouble);
    await sleep(lastingMs);
    proxy.heal();
  }

  return {
    async open() {
      const tollgate = new Tollgate({ url });
      const session = await tollgate.auth.register({ email: 'caller@example.com', password: 'correct horse battery' });
      const asCaller = tollgate.with({ apiKey: session.access_token });
      const { key } = await asCaller.apiKeys.create({ name: 'spool' });
      await asCaller.tools.create({ slug: 'search', name: 'Search', price: { per_call_usd: '0.002' } });
      if (key === undefined) throw new Error('the key was created earlier');
      return { url, apiKey: key };
    },
    makeTrouble,
    async heal() {
      proxy.heal();
      await new Tollgate({ url, retries: 10 }).service.ready();
    },
    figures: () => figures,
  };
}

function harmNetwork(proxy: FaultProxy, trouble: Exclude<(typeof troubles)[number], 'service killed'>): void {
  const isBatch = (bytes: Buffer): boolean => bytes.includes('POST /v1/events/batch');
  switch (trouble) {
    case 'none':
      return;
    case 'cut':
      return proxy.cut();
    case 'stall':
      return proxy.stall();
    case 'delay':
      return proxy.delay(100);
    case 'half open':
      return proxy.halfOpen();
    case 'answer lost':
      return void proxy.dropAnswer(isBatch);
  }
}
