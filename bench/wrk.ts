import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface WrkLoad {
  readonly url: string;
  /** In turn, so that no key meets its limit. */
  readonly tokens: readonly string[];
  readonly body: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface WrkResult {
  readonly answers: number;
  readonly seconds: number;
  /** Not 2xx, or no answer at all. */
  readonly failures: number;
}

/** Load from a process of its own, one thread. Needs `wrk` (Debian: apt-get install wrk). */
export async function runWrk(load: WrkLoad): Promise<WrkResult> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-wrk-'));
  try {
    const script = join(folder, 'load.lua');
    await writeFile(script, toScript(load), { mode: 0o600 });
    const args = ['-t1', `-c${load.connections}`, `-d${load.seconds}s`, '-s', script, load.url];
    const { stdout } = await promisify(execFile)('wrk', args).catch(explainMissing);
    const [, answers = 'NaN', micros = 'NaN', failures = 'NaN'] = /^RESULT (\d+) (\d+) (\d+)$/m.exec(stdout) ?? [];
    return { answers: Number(answers), seconds: Number(micros) / 1e6, failures: Number(failures) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function toScript({ tokens, body }: WrkLoad): string {
  return `
local tokens = {${tokens.map((token) => JSON.stringify(token)).join(',')}}
local requests = {}
local at = 0
function init(args)
  for i, token in ipairs(tokens) do
    requests[i] = wrk.format('POST', nil, {['content-type'] = 'application/json', authorization = 'Bearer ' .. token}, ${luaText(body)})
  end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary)
  local e = summary.errors
  print(string.format('RESULT %d %d %d', summary.requests, summary.duration, e.connect + e.read + e.write + e.timeout + e.status))
end
`;
}

function luaText(text: string): string {
  return `[==[${text}]==]`;
}

function explainMissing(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOENT') throw new Error('wrk is not installed; on Debian: apt-get install wrk');
  throw error;
}
