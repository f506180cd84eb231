import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventTemplate, marks } from './event-body.ts';

export interface WrkLoad {
  readonly url: string;
  /** In turn, so that no key meets its limit. */
  readonly tokens: readonly string[];
  readonly toolId: string;
  /** The body, with its marks; by default the event that all load sends. */
  readonly template?: string;
  /** The authorization of each token, where the template has its mark. */
  readonly authorizations?: readonly string[];
  /** One: the body is an event. More: the body is a batch of that many. */
  readonly batchEvents: number;
  readonly connections: number;
  readonly seconds: number;
}

export interface WrkResult {
  readonly answers: number;
  readonly seconds: number;
}

/** Closed-loop load from a process of its own, one thread. Needs `wrk` (Debian: apt-get install wrk). */
export async function runWrk(load: WrkLoad): Promise<WrkResult> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-wrk-'));
  try {
    const script = join(folder, 'load.lua');
    await writeFile(script, toScript(load), { mode: 0o600 });
    const args = ['-t1', '--timeout', '30s', `-c${load.connections}`, `-d${load.seconds}s`, '-s', script, load.url];
    const { stdout } = await promisify(execFile)('wrk', args).catch(explainMissing);
    const [, answers = 'NaN', micros = 'NaN', failures = 'NaN'] = /^RESULT (\d+) (\d+) (\d+)$/m.exec(stdout) ?? [];
    if (Number(failures) !== 0)
      throw new Error(`${failures} of ${answers} answers of ${load.url} were no 2xx or never came`);
    return { answers: Number(answers), seconds: Number(micros) / 1e6 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Each event has a key of its own and the time of its second. All bodies have one length, so the head is made once. */
function toScript({
  url,
  tokens,
  toolId,
  template = eventTemplate(toolId),
  authorizations = [],
  batchEvents,
}: WrkLoad) {
  const { host, pathname } = new URL(url);
  return `
local tokens = ${luaList(tokens)}
local authorizations = ${luaList(authorizations)}
local run = '${randomBytes(12).toString('hex')}'
local batch = ${batchEvents}
local heads = {}
local made, sent, time = 0, 0, ''
local function event()
  made = made + 1
  return ${luaBody(template)}
end
local function body()
  if batch == 1 then return event() end
  local events = {}
  for at = 1, batch do events[at] = event() end
  return '{"events":[' .. table.concat(events, ',') .. ']}'
end
local function look()
  time = os.date('!%Y-%m-%dT%H:%M:%S.000Z')
end
function init()
  look()
  local length = #body()
  for at, token in ipairs(tokens) do
    heads[at] = 'POST ${pathname} HTTP/1.1\\r\\nHost: ${host}\\r\\nContent-Type: application/json\\r\\nAuthorization: Bearer ' ..
      token .. '\\r\\nContent-Length: ' .. length .. '\\r\\n\\r\\n'
  end
end
function request()
  if sent % 50 == 0 then look() end
  sent = sent + 1
  return heads[sent % #tokens + 1] .. body()
end
function done(summary)
  local e = summary.errors
  print(string.format('RESULT %d %d %d', summary.requests, summary.duration, e.connect + e.read + e.write + e.timeout + e.status))
end
`;
}

/** The template as one expression of Lua. */
function luaBody(template: string): string {
  const values: Record<string, string> = {
    [marks.key]: `run .. string.format('%012d', made)`,
    [marks.time]: 'time',
    [marks.authorization]: 'authorizations[sent % #tokens + 1]',
    [marks.call]: `string.format('%4d', math.floor(sent / #tokens))`,
  };
  const pieces = template.split(new RegExp(`(${Object.keys(values).join('|')})`));
  return pieces.map((piece) => values[piece] ?? luaText(piece)).join(' .. ');
}

function luaList(texts: readonly string[]): string {
  return `{${texts.map((text) => JSON.stringify(text)).join(',')}}`;
}

function luaText(text: string): string {
  return `[==[${text}]==]`;
}

function explainMissing(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOENT') throw new Error('wrk is not installed; on Debian: apt-get install wrk');
  throw error;
}
