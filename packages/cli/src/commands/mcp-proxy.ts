import { join } from 'node:path';
import type { ProxyOptions } from '@tollgate/mcp/proxy';
import { Meter, TollgateError, type Tollgate } from '@tollgate/sdk';
import { createCalls, type BeginCall, type CallAsk } from '@tollgate/sdk/calls';
import type { Command } from 'commander';
import { findBuildersMistake } from '../check-builder.ts';
import { collect } from '../collect.ts';
import type { Context } from '../context.ts';
import { settingsFolder } from '../stored-session.ts';
import { toListenAddress, type ListenAddress } from '../to-listen-address.ts';

type Upstream = ProxyOptions['upstream'];

interface ProxyFlags {
  readonly tool: readonly string[];
  readonly header: readonly string[];
  readonly listen?: string;
  readonly free?: boolean;
  readonly oauth?: boolean;
  readonly resource?: string;
  readonly allowHost: readonly string[];
  readonly allowOrigin: readonly string[];
  readonly maxSessions: string;
  readonly idleSeconds: string;
  readonly requirePass?: boolean;
  readonly gate?: boolean;
  readonly spool?: string;
  readonly answers?: string;
  readonly maxMessageMib: string;
}

const closeTimeoutMs = 5_000;

const help = `
The server is a command, or the address of a server over streamable HTTP. With --listen the proxy serves it over streamable
HTTP on the machine of its builder, whose key stays there. Each caller sends its pass as the bearer token, which goes no
further; a call without a live pass that allows the tool is refused.

  tollgate mcp-proxy --listen 127.0.0.1:9000 --tool weather -- node server.js
  tollgate mcp-proxy --listen 127.0.0.1:9000 --tool weather http://127.0.0.1:3000/mcp

Without --listen it speaks over standard input and output, for an agent of your own: put it into the settings of an MCP
client where the server's command was.

  tollgate mcp-proxy --tool weather -- node server.js
  tollgate mcp-proxy --tool forecast=weather --tool history=archive -- node server.js
  tollgate mcp-proxy --tool weather --header Authorization=WEATHER_TOKEN https://weather.example.com/mcp

TOLLGATE_API_KEY is a key of the builder, whose tool it is. Over standard input TOLLGATE_KEY is the pass of the caller who
pays. A call may bring another one in _meta["tollgate/key"]. Without any, the account of TOLLGATE_API_KEY pays: with
--listen only where --free lets in who has none. The server sees neither.`;

/** Meters an MCP server that nobody can change. */
export function addMcpProxy(program: Command, context: Context): void {
  program
    .command('mcp-proxy <server...>')
    .description('meter the tool calls of an MCP server that nobody can change')
    .requiredOption(
      '--tool <slug>',
      'the slug of all tools, or name=slug per tool; tools not named are free',
      collect,
      [],
    )
    .option('--header <name=VARIABLE>', 'a header for a server over HTTP, with the value of a variable', collect, [])
    .option('--listen <host:port>', 'serve streamable HTTP there, at /mcp; 127.0.0.1 if only a port is given')
    .option('--free', 'with --listen: serve callers without a pass, too; the account of TOLLGATE_API_KEY pays')
    .option('--oauth', 'with --listen and --resource: tell clients where to sign in, and take OAuth tokens, too')
    .option('--resource <url>', 'with --oauth: the URL at which clients reach this server, as its tools name it')
    .option('--allow-host <name>', 'with --listen: a name by which clients may ask for this server', collect, [])
    .option('--allow-origin <origin>', 'with --listen: an origin whose pages may ask', collect, [])
    .option('--max-sessions <number>', 'with --listen: the most sessions at once; a pass may have a quarter', '100')
    .option('--idle-seconds <number>', 'with --listen: a session that nobody reads ends after this', '1800')
    .option('--require-pass', 'refuse calls without a live pass that allows the tool')
    .option('--gate', 'hold the money of each call before it runs: refuse calls that a spending cap has no room for')
    .option('--spool <dir>', 'where events wait to be sent; default: in your settings folder')
    .option(
      '--answers <dir>',
      'where paid answers wait that callers have missed, for all proxies that share the folder',
    )
    .option('--max-message-mib <number>', 'the most MiB of one message', '256')
    .addHelpText('after', help)
    .action(async (server: readonly string[], flags: ProxyFlags) => {
      const ended = await meterUpstream(context, toUpstream(server, flags.header, context.environment), flags);
      if (ended === 'server') throw new Error('the server behind the proxy has ended');
    });
}

async function meterUpstream({ session, environment }: Context, upstream: Upstream, flags: ProxyFlags) {
  const tollgate = longLivedClient(session.client(), environment['TOLLGATE_API_KEY']);
  const messageBytesMax = toBytes(flags.maxMessageMib);
  const listen = toListen(flags);
  const byPass = flags.requirePass === true || flags.gate === true || listen !== undefined;
  const mistake = await findBuildersMistake(tollgate, { slugs: toSlugs(flags.tool), byPass });
  if (mistake !== undefined) throw new Error(mistake);
  const dir = flags.spool ?? join(settingsFolder(environment), 'spool');
  const meter = await Meter.open({ tollgate, dir, onRejected: ({ message }) => warn(message), onWarning: warn });
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());
  const metered = { tollgate, meter, upstream, messageBytesMax, flags, signal: stopped.signal };
  try {
    return await (listen === undefined ? serveAgent(metered, environment) : serveCallers(metered, listen));
  } finally {
    const { left } = await meter.close({ timeoutMs: closeTimeoutMs }); // a warning says why they are left
    if (listen !== undefined) warn(left === 0 ? 'has stopped, and no call waits' : toWaiting(left, dir));
  }
}

interface Metered {
  readonly tollgate: Tollgate;
  readonly meter: Meter;
  readonly upstream: Upstream;
  readonly messageBytesMax: number;
  readonly flags: ProxyFlags;
  readonly signal: AbortSignal;
}

// The modules of MCP are loaded for this command alone: the other ones answer sooner without.

async function serveAgent({ flags, tollgate, meter, ...rest }: Metered, environment: Context['environment']) {
  const [{ createMeteringPorts }, { runProxy }] = await Promise.all([
    import('@tollgate/mcp'),
    import('@tollgate/mcp/proxy'),
  ]);
  const { requirePass, gate } = flags;
  const calls = createCalls({ tollgate, meter, requirePass, gate, onError: warn });
  const ownKey = environment['TOLLGATE_KEY'] || undefined; // an empty variable is none
  const keeping = { ...(await toKeeping(flags.answers)), server: toServerName(rest.upstream) };
  const ports = createMeteringPorts({ tollgate, calls, tool: toTools(flags.tool), ownKey, onError: warn, ...keeping });
  return runProxy({ ...rest, ports });
}

async function serveCallers({ flags, tollgate, meter, signal, ...rest }: Metered, listen: ListenAddress) {
  const [{ createMeteringPorts }, { listenProxy }] = await Promise.all([
    import('@tollgate/mcp'),
    import('@tollgate/mcp/listen'),
  ]);
  const common = { tollgate, meter, onError: warn };
  const ofPasses = createCalls({ ...common, requirePass: true, gate: flags.gate });
  const calls = flags.free === true ? orFree(ofPasses, createCalls(common)) : ofPasses;
  const keeping = { ...(await toKeeping(flags.answers)), server: toServerName(rest.upstream) };
  const listening = await listenProxy({
    ...rest,
    ...listen,
    tollgate,
    ports: createMeteringPorts({ tollgate, calls, tool: toTools(flags.tool), onError: warn, ...keeping }),
    isFree: flags.free,
    resource: flags.resource,
    allowedHosts: flags.allowHost,
    allowedOrigins: flags.allowOrigin,
    sessionsMax: toWhole('--max-sessions', flags.maxSessions),
    idleMs: toWhole('--idle-seconds', flags.idleSeconds) * 1_000,
  });
  warn(`serves MCP at ${listening.url}`);
  await new Promise((resolve) => (signal.aborted ? resolve(undefined) : signal.addEventListener('abort', resolve)));
  await listening.close();
  return 'client';
}

/** Without a folder the answers that callers have missed are in the memory of this process. */
async function toKeeping(folder: string | undefined) {
  if (folder === undefined) return {};
  const { createFolderRepeatStore } = await import('@tollgate/mcp');
  return { repeatStore: createFolderRepeatStore(folder) };
}

/** Tells the server from others whose proxies keep answers in the same folder. */
function toServerName(upstream: Upstream): string {
  return 'url' in upstream ? upstream.url.href : JSON.stringify([upstream.command, ...upstream.args]);
}

/** The address to listen on. Undefined: the proxy speaks over standard input and output. */
function toListen({ listen, free, oauth, resource, allowHost, allowOrigin }: ProxyFlags): ListenAddress | undefined {
  if ((oauth === true) !== (resource !== undefined)) throw new Error('--oauth and --resource need each other');
  if (listen !== undefined) return toListenAddress(listen);
  if (free !== true && oauth !== true && allowHost.length + allowOrigin.length === 0) return undefined;
  throw new Error('--free, --oauth, --allow-host and --allow-origin are for --listen');
}

function toWaiting(left: number, dir: string): string {
  return `has stopped, and ${left} calls wait in ${dir}: the next proxy there sends them, or \`tollgate spool send ${dir}\``;
}

/** The calls of who brings no pass are free for them. */
function orFree(ofPasses: BeginCall, free: BeginCall): BeginCall {
  const begin = async (ask: CallAsk) => (ask.key === undefined ? free(ask) : ofPasses(ask));
  return Object.assign(begin, { resume: ofPasses.resume });
}

/** The access token of `login` would expire while the proxy runs. */
function longLivedClient(tollgate: Tollgate, apiKey: string | undefined): Tollgate {
  if (apiKey !== undefined) return tollgate;
  const detail = 'mcp-proxy runs longer than a session lasts: set TOLLGATE_API_KEY to a key of `tollgate keys create`.';
  throw new TollgateError({ status: 0, code: 'no_api_key', detail });
}

/** One slug for all tools, or `name=slug` for some of them. */
export function toTools(words: readonly string[]): string | ((name: string) => string | undefined) {
  const pairs = words.map((word) => word.split('=', 2));
  const [[slug = ''] = []] = pairs;
  if (pairs.length === 1 && pairs[0]?.length === 1) return slug;
  const slugs = new Map(pairs.map(([name = '', to]) => [name, to ?? unpaired(name)]));
  return (name) => slugs.get(name);
}

function toBytes(mib: string): number {
  return toWhole('--max-message-mib', mib) * 1024 * 1024;
}

function toWhole(flag: string, word: string): number {
  if (!/^[1-9][0-9]{0,4}$/.test(word)) throw new Error(`${flag} wants a whole number from 1 to 99999, not ${word}`);
  return Number(word);
}

function toSlugs(words: readonly string[]): string[] {
  return [...new Set(words.map((word) => word.split('=', 2).at(-1) ?? word))];
}

function unpaired(word: string): never {
  throw new Error(`--tool ${word} stands for all tools; beside others, write name=slug`);
}

/** A command, or an address. The command does not see the secrets of the proxy. */
export function toUpstream(
  [command = '', ...args]: readonly string[],
  headers: readonly string[],
  environment: Context['environment'],
): Upstream {
  if (/^https?:\/\//.test(command)) {
    if (args.length > 0) throw new Error('the address of a server takes no further arguments');
    return { url: new URL(command), headers: Object.fromEntries(headers.map((word) => toHeader(word, environment))) };
  }
  if (headers.length > 0) throw new Error('--header is for a server over HTTP');
  const shown = Object.entries(environment).filter(([name]) => !name.startsWith('TOLLGATE_'));
  return { command, args, env: Object.fromEntries(shown.map(([name, value]) => [name, value ?? ''])) };
}

/** Others can see arguments, so a header's value, which may be a secret, is in a variable. */
function toHeader(word: string, environment: Context['environment']): [string, string] {
  const [name = '', variable = ''] = word.split('=', 2);
  const value = environment[variable];
  if (value === undefined) throw new Error(`--header ${name}: the variable ${variable || '(none)'} is not set`);
  return [name, value];
}

/** Standard output is the client's. */
function warn(error: unknown): void {
  process.stderr.write(`tollgate: ${error instanceof Error ? error.message : String(error)}\n`);
}
