import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { eventually } from '@tollgate/testkit/eventually';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { fileURLToPath } from 'node:url';
import type { Undo } from '../it-with.ts';

/** A client that somebody else wrote, as a program. It knows the server's address and nothing else. */
export interface StrangeClient {
  /** The page to which it sends its person. */
  opened(): Promise<string>;
  /** Calls the tool. Gives the answer as text; an error likewise. */
  call(): Promise<string>;
}

export interface StrangeClientOptions {
  readonly url: string;
  /** A folder of its own, in which it may keep what it likes. */
  readonly home: string;
  readonly undo: Undo;
  /** The ports at which it may hear a browser come back. */
  readonly port: number;
  /** The address of its metadata document. Undefined: it registers. */
  readonly document?: string | undefined;
}

export type BeginStrange = (options: StrangeClientOptions) => StrangeClient;

const callbackPage = /http:\S+\/oauth\/authorize\?\S+/;

/** Text that a program has written, until it has a match. */
function createOutput() {
  let text = '';
  return {
    add: (chunk: unknown) => void (text += String(chunk)),
    async match(pattern: RegExp): Promise<string> {
      await eventually(() => pattern.test(text), { withinMs: 60_000 });
      return pattern.exec(text)?.[0] ?? '';
    },
    text: () => text,
  };
}

/** `mcp-remote`, by which clients without OAuth of their own reach servers that ask for it. */
export const beginMcpRemote =
  (packages: string): BeginStrange =>
  ({ url, home, undo, port }) => {
    const main = join(packages, 'node_modules/mcp-remote/dist/proxy.js');
    const env = { PATH: '', HOME: home, MCP_REMOTE_CONFIG_DIR: home };
    const args = [main, url, String(port), '--allow-http'];
    const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' });
    const output = createOutput();
    transport.stderr?.on('data', output.add);
    const client = new Client({ name: 'test', version: '1' });
    const connecting = client.connect(transport, { timeout: 120_000 });
    connecting.catch(() => undefined); // the call tells it
    undo(() => client.close());
    return {
      opened: () => output.match(callbackPage),
      call: async () => {
        const calling = connecting.then(() => client.callTool({ name: 'weather', arguments: { city: 'Oslo' } }));
        return calling.then(JSON.stringify, String);
      },
    };
  };

/** The inspector's command line, which connects anew for each call and keeps its tokens in its home. */
export const beginInspector =
  (packages: string): BeginStrange =>
  ({ url, home, undo, port, document }) => {
    const main = join(packages, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
    const output = createOutput();
    const about = ['--cli', '--server-url', url, '--transport', 'http', '--format', 'json'];
    const oauth = ['--callback-url', `http://127.0.0.1:${port}/callback`];
    const id = document === undefined ? [] : ['--client-metadata-url', document];
    const call = ['--method', 'tools/call', '--tool-name', 'weather', '--tool-arg', 'city=Oslo'];
    const run = () =>
      new Promise<string>((resolve) => {
        // Without a terminal it signs in only so, and keeps its tokens only in a file.
        const own = { MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file' };
        const env = { PATH: '', HOME: home, ...own };
        const args = [main, ...about, ...oauth, ...id, ...call];
        const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
        undo(() => child.kill());
        let text = '';
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (chunk: unknown) => (output.add(chunk), (text += String(chunk))));
        child.once('exit', () => resolve(text));
      });
    let first: Promise<string> | undefined = run();
    return {
      opened: () => output.match(callbackPage),
      async call() {
        const running = first ?? run();
        first = undefined;
        return running;
      },
    };
  };

/** The official client for Python. */
export const beginPython =
  (python: string): BeginStrange =>
  ({ url, undo, port, document }) => {
    const program = fileURLToPath(new URL('mcp-oauth-client.py', import.meta.url));
    const child = spawn(python, [program, url, String(port), ...(document === undefined ? [] : [document])]);
    undo(() => child.kill());
    const output = createOutput();
    for (const stream of [child.stdout, child.stderr]) stream.on('data', output.add);
    let calls = 0;
    return {
      opened: async () => (await output.match(/^open http\S+/m)).slice('open '.length),
      async call() {
        await output.match(/^connected$/m);
        calls += 1;
        child.stdin.write('\n');
        const answers = () => output.text().match(/^answer .*\n/gm) ?? []; // a line that is whole
        const isAskedAgain = () => (output.text().match(/^open http/gm) ?? []).length > 1;
        await eventually(() => answers().length >= calls || isAskedAgain(), { withinMs: 20_000 });
        return answers()[calls - 1] ?? 'it asks its person again';
      },
    };
  };

export async function findPort(): Promise<number> {
  const [port = 0] = await findFreePorts(1);
  return port;
}
