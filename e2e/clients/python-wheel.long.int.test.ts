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

/** A program that says what it expects of the types. */
const typed = `
from typing import Union

from tollgate import AsyncTollgate, Meter, RejectedEvent, Tollgate, TollgateError
from tollgate.asgi import App, MeterRequests
from tollgate.calls import Calls, PaidCall, Refusal
from tollgate.mcp import TokenVerifier
from tollgate.types import OwnPass, SpendingLimit


def note(event: RejectedEvent) -> None:
    print(event.code + event.message)


def guard(app: App, tollgate: Tollgate) -> MeterRequests:
    meter = Meter.open("spool", tollgate=tollgate, on_rejected=note)
    calls = Calls(tollgate=tollgate, meter=meter, gate={"max": {"duration_ms": 5000}, "ttl_seconds": 60})
    return MeterRequests(app, calls=calls, tool=lambda scope: None)


async def call(calls: Calls, tollgate: AsyncTollgate) -> Union[SpendingLimit, None]:
    begun: Union[PaidCall, Refusal] = await calls.begin("weather", None)
    if isinstance(begun, Refusal):
        return begun.limit
    await begun.end(success=True, metadata={"city": "Oslo"})
    verifier = TokenVerifier(tollgate)
    token = await verifier.verify_token("tg_pass_nobody")
    print("" if token is None else token.client_id + token.scopes[0])
    try:
        found: OwnPass = await tollgate.passes.self()
    except TollgateError as error:
        print(error.code + error.detail)
        return None
    print(found["name"], Meter.open(durability="memory").record("weather").idempotency_key + "")
    return None
`;

interface RunOptions {
  readonly args?: readonly string[];
  /** The pass in TOLLGATE_KEY. */
  readonly key?: string;
}

describeWithPython('the wheel of the Python client', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'python-wheel' }, undo);
    const folder = openFolder('python-wheel-files', undo);
    const wheel = packWheel(folder);
    const empty = await openPython(undo, ['--no-index', wheel]); // it needs nothing beside itself
    const withMcp = await openPython(undo, [`${wheel}[mcp]`, 'mypy==2.4.1']);
    const anybody = new Tollgate({ url: product.baseUrl() });
    const register = async () => {
      const credentials = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' };
      return anybody.with({ apiKey: (await anybody.auth.register(credentials)).access_token });
    };
    const [account, consumer] = [await register(), await register()];
    const { key = '' } = await account.apiKeys.create({ name: 'python' });
    const { key: pass } = await account.passes.create({ name: 'caller', tools: '*' });
    const cap = { amount_usd: 0.01, window: 'month' } as const; // for five calls
    const { key: capped } = await consumer.passes.create({ name: 'capped', tools: '*', cap });
    const env = { TOLLGATE_URL: product.baseUrl(), TOLLGATE_API_KEY: key, WEBHOOK_SECRET: 'none' };
    const write = (text: string): string => {
      const path = join(folder, randomUUID());
      mkdirSync(path);
      writeFileSync(join(path, 'app.py'), text);
      return path;
    };
    const runWith = async (python: string, text: string, { args = [], key = pass }: RunOptions = {}) => {
      const options = { cwd: write(text), env: { PATH: process.env['PATH'], ...env, TOLLGATE_KEY: key } };
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
      runWith(withMcp, mcpClient, { args: [join(write(text), 'app.py'), tool, argument] });
    const checkTypes = async (text: string): Promise<string> => {
      const args = ['-m', 'mypy', '--strict', '--cache-dir=/dev/null', 'app.py'];
      return (await run(withMcp, args, { cwd: write(text) }).catch((failed: { stdout: string }) => failed)).stdout;
    };
    const paste = (text: string, key = pass) => runWith(empty, text, { key });
    return { wheel, account, pass, capped, consumer, serve, talk, paste, checkTypes };
  }, patienceMs);

  it('has its licence and its types, and is released with its changes', ({ wheel }) => {
    expect(problemsOfWheel(wheel)).toEqual([]);
    return Promise.resolve();
  });

  it('runs the lines of its README, by itself, as an MCP server and with the gate', async ({ account, ...opened }) => {
    const { capped, paste, serve, talk } = opened;
    const [first = '', server = '', , gate = ''] = programsOf('clients/python/README.md');
    expect(await paste(first)).toMatch(/^sent 1 event, [0-9a-f-]{36}$/m);
    expect(await paste(first)).toContain('slug_taken');
    expect(await talk(server, 'weather', 'city')).toBe('12 degrees in hej\n');
    const url = await serve(gate);
    const ask = () => fetch(url, { headers: { authorization: `Bearer ${capped}` } });
    for (let call = 1; call <= 5; call += 1) expect(await (await ask()).text()).toBe('3 results');
    const refused = await ask();
    expect([refused.status, await refused.json()]).toMatchObject([402, { code: 'spending_cap_reached' }]);
    await untilCounted(account, 'web-search', 3);
  });

  it('runs the programs of docs/python.md as they stand there', async ({ account, pass, consumer, ...opened }) => {
    const { paste, serve, talk } = opened;
    const cap = { amount_usd: 0.01, window: 'month' } as const; // for five calls
    const { key: capped } = await consumer.passes.create({ name: 'shouter', tools: '*', cap });
    const [register = '', record = '', asyncio = '', count = '', gate = '', ...others] = programsOf('docs/python.md');
    const [stream, mcp = '', asgi = '', webhook = ''] = others;
    expect(await paste(register)).toBe('registered shout\n');
    expect(await paste(record)).toBe('left in the spool: 0\n');
    expect(await paste(asyncio)).toBe('sent: 100\n');
    expect(await paste(count)).toBe('counted: 103 calls\n');
    expect(await paste(`${webhook}\nprint(receive('{}', {})[1])`)).toContain('secret_invalid');
    for (let call = 1; call <= 5; call += 1) expect(await paste(gate, capped)).toBe('HEJ\n');
    expect(await paste(gate, capped)).toMatch(
      /^spending_cap_reached A spending limit .* its owner can raise it\. Its owner can approve .*\n$/,
    );
    const streamed = 'ONE\nTWO\ncut by the caller after 2 items\n';
    expect([await paste(String(stream)), await talk(mcp, 'shout', 'text')]).toEqual([streamed, 'HEJ\n']);
    const url = await serve(asgi);
    const paid = await fetch(`${url}?hej`, { headers: { authorization: `Bearer ${pass}` } });
    expect([paid.status, await paid.text()]).toEqual([200, 'HEJ']);
    expect((await fetch(url)).status).toBe(402);
    await untilCounted(account, 'shout', 106);
  });

  it('has types that mypy --strict sees in what is installed', async ({ checkTypes }) => {
    expect(await checkTypes(typed)).toBe('Success: no issues found in 1 source file\n');
    const errors = await checkTypes(
      typed.replace('"ttl_seconds": 60', '"ttl": 60').replace('success=True', 'success=1'),
    );
    expect(errors).toMatch(/^app.py:\d+: error: Argument "gate" .* expected "bool \| Gate"/m);
    expect(errors).toMatch(/^app.py:\d+: error: Argument "success" .* expected "bool"/m);
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
