import { fileURLToPath } from 'node:url';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect } from '@jest/globals';
import { itWith, openFolder } from '../it-with.ts';
import { heldUsd, untilFree } from './held-money.ts';
import { openTasks } from './mcp-task-store.ts';
import { taskKinds, toTaskClient, type TaskKind } from './mcp-task-servers.ts';
import { openListeners } from './open-listeners.ts';
import { openProxies } from './open-proxies.ts';

const program = fileURLToPath(new URL('mcp-task-program.ts', import.meta.url));
const rawProgram = fileURLToPath(new URL('mcp-raw-task-program.ts', import.meta.url));

describe('tollgate mcp-proxy --listen before a server with tasks', () => {
  const it = itWith(async (undo) => {
    const { open } = await openListeners('mcp-proxy-tasks', undo);
    return async (kind: TaskKind) => {
      const { market, listen } = await open();
      await market.consumer.passes.update(market.passId, { cap: { amount_usd: 5, window: 'month' } });
      const tasks = openTasks(openFolder('mcp-proxy-tasks-store', undo));
      const upstream = await kind.serve(tasks, () => (server) => server);
      undo(() => upstream.close());
      const start = async () => {
        const { url, child } = await listen(['--gate', `${upstream.baseUrl}/mcp`]);
        const connect = async (pass: string) => {
          const client = await kind.connect(url, pass);
          undo(() => client.close());
          return client;
        };
        return { client: await connect(market.pass), child, connect };
      };
      return { market, tasks, start };
    };
  });

  for (const [name, kind] of Object.entries(taskKinds)) {
    it(`F296 a proxy that is killed loses no task: the next one settles it, once: ${name}`, async (open) => {
      const { market, tasks, start } = await open(kind);
      const first = await start();
      const ids = [
        await first.client.call('Oslo'),
        await first.client.call('Atlantis'),
        await first.client.call('Rome'),
      ];
      const [oslo = '', atlantis = '', rome = ''] = ids;
      first.child.signal('SIGKILL');
      await first.child.exited;
      expect(await heldUsd(market)).toBe(0.03);
      const [second, third] = [await start(), await start()];
      await second.client.cancel(rome);
      tasks.endAll();
      expect(await second.client.get(oslo)).toBe('completed');
      expect(await second.client.get(atlantis)).toBe('failed');
      await market.untilCounted({ successes: 1, failures: 1 });
      await untilFree(market);
      for (const id of ids) await third.client.get(id);
      expect((await market.consumer.passes.get(market.passId)).spent_usd).toBe(0.01);
      expect(third.child.output()).not.toMatch(/Nobody pays/);
    });

    it(`F344 leaves a task to the pass that began it, also behind another proxy: ${name}`, async (open) => {
      const { market, tasks, start } = await open(kind);
      const [first, second] = [await start(), await start()];
      const { key } = await market.consumer.passes.create({ name: 'other agent', tools: [market.slug] });
      const strangers = [await first.connect(key), await second.connect(key)];
      const [oslo, rome] = [await first.client.call('Oslo'), await first.client.call('Rome')];
      for (const stranger of strangers) {
        await expect(stranger.get(oslo)).rejects.toThrow(/not found/i);
        await expect(stranger.cancel(oslo)).rejects.toThrow(/not found/i);
        await expect(stranger.result(oslo)).rejects.toThrow(/not found/i);
      }
      expect(await second.client.get(oslo)).toBe('working');
      tasks.endAll();
      for (const stranger of strangers) await expect(stranger.get(rome)).rejects.toThrow(/not found/i);
      expect(await second.client.get(oslo)).toBe('completed');
      expect(await first.client.get(rome)).toBe('completed');
      await expect(strangers[0]?.get(oslo)).rejects.toThrow(/not found/i);
      await market.untilCounted({ successes: 2, failures: 0 });
      await untilFree(market);
    });

    it(`F295 pays for what ended, by tasks/result alone: ${name}`, async (open) => {
      const { market, tasks, start } = await open(kind);
      const { client } = await start();
      const id = await client.call('Oslo');
      tasks.endAll();
      expect(await client.result(id)).toMatchObject({ content: [{ text: 'Oslo' }] });
      await market.untilCounted({ successes: 1, failures: 0 });
      await untilFree(market);
    });
  }
});

describe('tollgate mcp-proxy over stdio before a server with tasks', () => {
  const it = itWith(async (undo) => {
    const { open } = await openProxies('mcp-proxy-stdio-tasks', undo);
    return { open, undo };
  });

  it('F296 a proxy that is killed with its server loses no task: the next one settles it', async ({ open, undo }) => {
    const { market, programOf } = await open();
    await market.consumer.passes.update(market.passId, { cap: { amount_usd: 5, window: 'month' } });
    const folder = openFolder('mcp-proxy-stdio-store', undo);
    const server = [process.execPath, '--disable-warning=ExperimentalWarning', program, folder];
    const start = async () => {
      const client = new ClientV1({ name: 'test', version: '1' }, { capabilities: { tasks: {} } });
      const transport = new StdioClientTransport(programOf(['--tool', market.slug, '--gate', '--', ...server]));
      await client.connect(transport);
      undo(() => client.close());
      return { client: toTaskClient(client), pid: transport.pid ?? 0 };
    };
    const first = await start();
    const id = await first.client.call('Oslo');
    process.kill(first.pid, 'SIGKILL');
    const second = await start();
    expect(await second.client.get(id)).toBe('working');
    openTasks(folder).endAll();
    expect(await second.client.get(id)).toBe('completed');
    await market.untilCounted({ successes: 1, failures: 0 });
    await untilFree(market);
  });

  it('F295 is paid when a notification tells the end, and hands it on', async ({ open }) => {
    const { market, startRaw } = await open();
    await market.consumer.passes.update(market.passId, { cap: { amount_usd: 5, window: 'month' } });
    const server = [process.execPath, '--disable-warning=ExperimentalWarning', rawProgram];
    const proxy = startRaw(['--tool', market.slug, '--gate', '--', ...server]);
    proxy.call(1, 'Oslo');
    await proxy.answers(1);
    expect(await heldUsd(market)).toBe(0.01);
    proxy.send({ method: 'notifications/end' });
    await market.untilCounted({ successes: 1, failures: 0 });
    await untilFree(market);
    expect(JSON.stringify(proxy.messages())).toContain('"method":"notifications/tasks"');
  });
});
