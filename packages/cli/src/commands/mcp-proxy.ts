import { join } from 'node:path';
import type { Upstream } from '@tollgate/mcp/proxy';
import { Meter, TollgateError, type Tollgate } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';
import type { Command } from 'commander';
import { findBuildersMistake } from '../check-builder.ts';
import { collect } from '../collect.ts';
import type { Context } from '../context.ts';
import { settingsFolder } from '../stored-session.ts';

interface ProxyFlags {
  readonly tool: readonly string[];
  readonly header: readonly string[];
  readonly requirePass?: boolean;
  readonly gate?: boolean;
  readonly spool?: string;
  readonly maxMessageMib: string;
}

const closeTimeoutMs = 5_000;

const help = `
The server is a command, or the address of a server over streamable HTTP. The proxy itself speaks over standard input and
output: put it into the settings of an MCP client where the server's command was.

  tollgate mcp-proxy --tool weather -- node server.js
  tollgate mcp-proxy --tool forecast=weather --tool history=archive -- node server.js
  tollgate mcp-proxy --tool weather --header Authorization=WEATHER_TOKEN https://weather.example.com/mcp

TOLLGATE_API_KEY is a key of the builder, whose tool it is. TOLLGATE_KEY is the pass of the caller who pays; a call may
bring another one in _meta["tollgate/key"]. Without any, the account of TOLLGATE_API_KEY pays. The server sees neither.`;

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
    .option('--require-pass', 'refuse calls without a live pass that allows the tool')
    .option('--gate', 'hold the money of each call before it runs: refuse calls that a spending cap has no room for')
    .option('--spool <dir>', 'where events wait to be sent; default: in your settings folder')
    .option('--max-message-mib <number>', 'the most MiB of one message over standard input and output', '256')
    .addHelpText('after', help)
    .action(async (server: readonly string[], flags: ProxyFlags) => {
      const ended = await meterUpstream(context, toUpstream(server, flags.header, context.environment), flags);
      if (ended === 'server') throw new Error('the server behind the proxy has ended');
    });
}

async function meterUpstream({ session, environment }: Context, upstream: Upstream, flags: ProxyFlags) {
  const tollgate = longLivedClient(session.client(), environment['TOLLGATE_API_KEY']);
  const tool = toTools(flags.tool);
  const messageBytesMax = toBytes(flags.maxMessageMib);
  const byPass = flags.requirePass === true || flags.gate === true;
  const mistake = await findBuildersMistake(tollgate, { slugs: toSlugs(flags.tool), byPass });
  if (mistake !== undefined) throw new Error(mistake);
  const dir = flags.spool ?? join(settingsFolder(environment), 'spool');
  const meter = await Meter.open({ tollgate, dir, onRejected: ({ message }) => warn(message), onWarning: warn });
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());
  try {
    // Loaded for this command alone: the other ones answer sooner without.
    const [{ createMeteringPorts }, { runProxy }] = await Promise.all([
      import('@tollgate/mcp'),
      import('@tollgate/mcp/proxy'),
    ]);
    const calls = createCalls({ tollgate, meter, requirePass: flags.requirePass, gate: flags.gate, onError: warn });
    const ownKey = environment['TOLLGATE_KEY'] || undefined; // an empty variable is none
    const ports = createMeteringPorts({ tollgate, calls, tool, ownKey, onError: warn });
    return await runProxy({ upstream, ports, messageBytesMax, signal: stopped.signal });
  } finally {
    await meter.close({ timeoutMs: closeTimeoutMs });
  }
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
  if (!/^[1-9][0-9]{0,4}$/.test(mib)) throw new Error(`--max-message-mib wants whole MiB from 1 to 99999, not ${mib}`);
  return Number(mib) * 1024 * 1024;
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
