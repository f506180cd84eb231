import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { listenLocally } from '@tollgate/testkit/listen-locally';
import { notSent } from './paced-load.ts';

it('ends when the bench that started it is killed', async () => {
  const server = createServer((_, response) => response.writeHead(201).end());
  const url = `http://127.0.0.1:${await listenLocally(server)}/v1/events`;
  const options = { url, tokens: ['key'], toolId: 'tool', perSecond: 100, seconds: 600, connectionsMax: 1 };
  const module = new URL('paced-load.ts', import.meta.url).href;
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-load-'));
  const script = join(folder, 'bench.mjs');
  await writeFile(script, `import { runPacedLoad } from '${module}'; await runPacedLoad(${JSON.stringify(options)});`);
  const bench = spawn(process.execPath, [script], { stdio: 'inherit' });
  try {
    const [socket] = (await once(server, 'connection')) as [Socket];
    const closed = new Promise((resolve) => socket.once('close', () => resolve('closed'))); // with a reset, or without
    bench.kill('SIGKILL');
    await expect(closed).resolves.toBe('closed'); // in use all the time, so only the end of the load closes it
  } finally {
    bench.kill('SIGKILL');
    server.close();
    await rm(folder, { recursive: true });
  }
});

it('says when requests were not sent', () => {
  expect(notSent([301.24, 301.26, 301.31])).toBe('3 not sent, from 301.2 to 301.3 s of the load');
  expect(notSent([])).toBe('all were sent');
});
