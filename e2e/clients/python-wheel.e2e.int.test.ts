import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { Tollgate } from '@tollgate/sdk';
import { startChildService } from '@tollgate/testkit/child-service';
import { eventually } from '@tollgate/testkit/eventually';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { packWheel, problemsOfWheel } from '../../tools/release/pack-wheel.ts';
import { itWith, openFolder } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { describeWithPython, openPython } from './python-environment.ts';

const run = promisify(execFile);
const patienceMs = 600_000; // beside the other suites

/** Talks to the server that its first argument names, and prints what the tool answers. */
const mcpClient = `
import asyncio, os, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

async def main():
    server = StdioServerParameters(command=sys.executable, args=[sys.argv[1]], env=dict(os.environ))
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        print((await session.call_tool(sys.argv[2], {sys.argv[3]: "hej"})).content[0].text)

asyncio.run(main())
`;

describeWithPython('the wheel of the Python client', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'python-wheel' }, undo);
    const folder = openFolder('python-wheel-files', undo);
    const wheel = packWheel(folder);
    const empty = await openPython(undo, ['--no-index', wheel]); // it needs nothing beside itself
    const withMcp = await openPython(undo, [`${wheel}[mcp]`]);
    const anybody = new Tollgate({ url: product.baseUrl() });
    const credentials = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' };
    const account = anybody.with({ apiKey: (await anybody.auth.register(credentials)).access_token });
    const { key = '' } = await account.apiKeys.create({ name: 'python' });
    const { key: pass } = await account.passes.create({ name: 'caller', tools: '*' });
    const env = {
      TOLLGATE_URL: product.baseUrl(),
      TOLLGATE_API_KEY: key,
      TOLLGATE_KEY: pass,
      WEBHOOK_SECRET: 'none',
    };
    const write = (text: string): string => {
      const path = join(folder, randomUUID());
      mkdirSync(path);
      writeFileSync(join(path, 'app.py'), text);
      return path;
    };
    const runWith = async (python: string, text: string, ...args: string[]): Promise<string> => {
      const cwd = write(text);
      const options = { cwd, env: { PATH: process.env['PATH'], ...env } };
      return (await run(python, ['app.py', ...args], options)).stdout;
    };
    const serve = async (text: string): Promise<string> => {
      const [port = 0] = await findFreePorts(1);
      const args = ['-m', 'uvicorn', 'app:app', '--port', String(port)];
      const server = startChildService({ command: withMcp, args, cwd: write(text), env });
      undo(() => server.destroy());
      await server.line(/running on/, { withinMs: 60_000 });
      return `http://127.0.0.1:${port}/`;
    };
    const talk = (text: string, tool: string, argument: string): Promise<string> =>
      runWith(withMcp, mcpClient, join(write(text), 'app.py'), tool, argument);
    return { wheel, account, pass, serve, talk, run: (text: string) => runWith(empty, text) };
  }, patienceMs);

  it('has its licence and its types, and is released with its changes', ({ wheel }) => {
    expect(problemsOfWheel(wheel)).toEqual([]);
    return Promise.resolve();
  });

  it('runs the lines of its README, by itself and as an MCP server', async ({ account, run: paste, talk }) => {
    const [first = '', server = ''] = programsOf('clients/python/README.md');
    expect(await paste(first)).toMatch(/^sent 1 event, [0-9a-f-]{36}$/m);
    expect(await paste(first)).toContain('slug_taken');
    expect(await talk(server, 'weather', 'city')).toBe('12 degrees in hej\n');
    await untilCounted(account, 'web-search', 3);
  });

  it('runs the programs of docs/python.md as they stand there', async ({ account, pass, run: paste, serve, talk }) => {
    const [register = '', record = '', asyncio = '', count = '', mcp = '', asgi = '', webhook = ''] =
      programsOf('docs/python.md');
    expect(await paste(register)).toBe('registered shout\n');
    expect(await paste(record)).toBe('left in the spool: 0\n');
    expect(await paste(asyncio)).toBe('sent: 100\n');
    expect(await paste(count)).toBe('counted: 103 calls\n');
    expect(await paste(`${webhook}\nprint(receive('{}', {})[1])`)).toContain('secret_invalid');
    expect(await talk(mcp, 'shout', 'text')).toBe('HEJ\n');
    const url = await serve(asgi);
    const paid = await fetch(`${url}?hej`, { headers: { authorization: `Bearer ${pass}` } });
    expect([paid.status, await paid.text()]).toEqual([200, 'HEJ']);
    expect((await fetch(url)).status).toBe(402);
    await untilCounted(account, 'shout', 105);
  });
});

function programsOf(page: string): string[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(/```python\n([\s\S]*?)```/g)].map(([, program = '']) => program);
}

async function untilCounted(account: Tollgate, slug: string, calls: number): Promise<void> {
  const isCounted = async () => (await account.usage.get({ tool_id: slug })).totals.calls === calls;
  await eventually(isCounted, { withinMs: 30_000 });
}
