import { describe, expect } from '@jest/globals';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMetering, keyMeta } from '@tollgate/mcp';
import { Meter, type RejectedEvent } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';
import { eventually } from '@tollgate/testkit/eventually';
import { itWith, openFolder } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { heldUsd, untilFree } from './held-money.ts';
import { openMarket } from './market.ts';
import { createTaskServerV1 } from './mcp-task-server-v1.ts';
import { openTasks } from './mcp-task-store.ts';
import { taskKinds, type TaskKind } from './mcp-task-servers.ts';
import type { MeterOne } from './mcp-over-http.ts';

/** The clients give up their tasks in the end of life tests after this. */
const shortTtlMs = 3_000;

describe('a call that is answered with a task', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'mcp-tasks' }, undo);
    const openOne = async (gate = true) => {
      const market = await openMarket(product.baseUrl());
      await market.consumer.passes.update(market.passId, { cap: { amount_usd: 5, window: 'month' } });
      const [errors, rejected]: [unknown[], RejectedEvent[]] = [[], []];
      const onError = (error: unknown) => void errors.push(error);
      const onRejected = (event: RejectedEvent) => void rejected.push(event);
      const openProcess = async (): Promise<MeterOne> => {
        const meter = await Meter.open({ tollgate: market.builder, durability: 'memory', onRejected });
        undo(() => meter.close());
        const calls = createCalls({ tollgate: market.builder, meter, gate, requirePass: true, onError });
        return createMetering({ tollgate: market.builder, calls, tool: market.slug, onError });
      };
      const tasks = openTasks(openFolder('mcp-tasks-store', undo));
      return { market, tasks, openProcess, errors, rejected };
    };
    /** Two processes answer in turn, as behind a round robin: each has a meter and a memory of its own. */
    const openTwo = async (kind: TaskKind, gate?: boolean) => {
      const { openProcess, ...opened } = await openOne(gate);
      const { market, tasks } = opened;
      const processes = [await openProcess(), await openProcess()] as const;
      let turn = 0;
      const server = await kind.serve(tasks, () => processes[(turn += 1) % 2 === 0 ? 0 : 1]);
      undo(() => server.close());
      const client = await kind.connect(server.baseUrl, market.pass);
      undo(() => client.close());
      const spent = async () => (await market.consumer.passes.get(market.passId)).spent_usd;
      /** The next request goes to the other process. */
      const skip = () => void (turn += 1);
      return { ...opened, client, skip, spent };
    };
    return { openOne, openTwo, undo };
  });

  for (const [name, kind] of Object.entries(taskKinds)) {
    it(`F295 is paid once it has ended, whoever sees it, and not before: ${name}`, async ({ openTwo }) => {
      const { market, tasks, client, errors, rejected, skip, spent } = await openTwo(kind);
      const ids = [await client.call('Oslo'), await client.call('Rome')];
      expect(await Promise.all(ids.map((id) => client.get(id)))).toEqual(['working', 'working']);
      expect([await heldUsd(market), await spent()]).toEqual([0.02, 0]);
      const isOpen = async (reference: string) =>
        (await market.builder.spending.authorizations({ reference }).firstPage()).total;
      expect(await Promise.all(ids.map(isOpen))).toEqual([1, 1]);
      tasks.endAll();
      for (const id of ids) {
        for (let times = 0; times < 3; times += 1) expect(await client.get(id)).toBe('completed');
        skip();
        expect(await client.result(id)).toMatchObject({ content: [{ text: expect.any(String) }] });
      }
      await market.untilCounted({ successes: 2, failures: 0 });
      await untilFree(market);
      expect(await spent()).toBe(0.02);
      expect([errors, rejected]).toEqual([[], []]);
    });

    it(`F295 that fails costs what a failed call costs: ${name}`, async ({ openTwo }) => {
      const { market, tasks, client, errors, rejected, skip } = await openTwo(kind);
      const ids = [await client.call('Atlantis'), await client.call('Wrong')];
      tasks.endAll();
      skip();
      expect(await client.get(ids[0] ?? '')).toBe('failed');
      expect(await client.get(ids[1] ?? '')).toBe('completed');
      await market.untilCounted({ successes: 0, failures: 2 });
      await untilFree(market);
      expect([errors, rejected]).toEqual([[], []]);
    });

    it(`F295 that is cancelled is free, by whichever process: ${name}`, async ({ openTwo }) => {
      const { market, tasks, client, errors, skip, spent } = await openTwo(kind);
      const ids = [await client.call('Oslo'), await client.call('Rome')];
      for (const id of ids) {
        skip();
        await client.cancel(id);
        skip();
      }
      await untilFree(market);
      tasks.endAll();
      for (const id of ids) expect(await client.get(id)).toBe('cancelled');
      const last = await client.call('Bonn');
      await client.get(last);
      await market.untilCounted({ successes: 1, failures: 0 });
      await untilFree(market);
      expect([await spent(), errors]).toEqual([0.01, []]);
    });

    it(`F297 that nobody asks about again is free at its end of life, and its builder is told: ${name}`, async ({
      openTwo,
    }) => {
      const { market, client, errors, rejected } = await openTwo(kind);
      const id = await client.call('Oslo', shortTtlMs);
      expect(await heldUsd(market)).toBe(0.01);
      await eventually(() => rejected.length === 1, { withinMs: 20_000 });
      expect(rejected[0]).toMatchObject({ code: 'end_unknown', message: expect.stringContaining(id) });
      await untilFree(market);
      expect((await market.consumer.usage.get()).totals.calls).toBe(0);
      expect(errors).toEqual([]);
    });

    it(`F297 that ended and nobody asks about again is paid at its end of life: ${name}`, async ({ openTwo }) => {
      const { market, tasks, client, errors, rejected } = await openTwo(kind);
      await client.call('Oslo', shortTtlMs);
      tasks.endAll();
      await market.untilCounted({ successes: 1, failures: 0 });
      await untilFree(market);
      expect([errors, rejected]).toEqual([[], []]);
    });

    it(`F295 is recorded once it has ended where no money is held: ${name}`, async ({ openTwo }) => {
      const { market, tasks, client, errors, skip } = await openTwo(kind, false);
      const id = await client.call('Oslo');
      await client.get(id);
      tasks.endAll();
      skip();
      for (let times = 0; times < 3; times += 1) await client.get(id);
      await market.untilCounted({ successes: 1, failures: 0 });
      expect(errors).toEqual([]);
    });
  }

  it('F295 is paid when a notification tells its end, also if nobody asks', async ({ openOne, undo }) => {
    const { market, tasks, openProcess } = await openOne();
    const server = createTaskServerV1(tasks);
    const client = new ClientV1({ name: 'test', version: '1' }, { capabilities: { tasks: {} } });
    undo(() => client.close());
    const [near, far] = InMemoryTransport.createLinkedPair();
    await (await openProcess())(server).connect(far as never);
    await client.connect(near as never);
    const params = { name: 'weather', arguments: { city: 'Wrong' }, task: {}, _meta: { [keyMeta]: market.pass } };
    const { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
    tasks.endAll();
    await server.server.notification({
      method: 'notifications/tasks/status',
      params: { ...task, status: 'completed' },
    });
    await market.untilCounted({ successes: 0, failures: 1 });
    await untilFree(market);
  });
});
