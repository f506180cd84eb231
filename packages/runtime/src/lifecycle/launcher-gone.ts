import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

interface ProcessFacts {
  readonly parent: number;
  readonly isZombie: boolean;
  readonly command: readonly string[];
  readonly ageMs: number;
}

const pollMs = 500;
const runners = /^(npx|npm|pnpm|pnpx|yarn|corepack)(-cli)?(\.[cm]?js)?$/;

/**
 * Resolves when any package runner that started us is gone. `npx pnpm start` is a chain of processes, and a SIGTERM to
 * the first of them does not reach us. Without this, the service would keep its port and nobody would stop it. Other
 * parents (systemd, Docker, nohup) do not matter.
 */
export async function launcherGone(self: number = process.ppid): Promise<string> {
  const launchers = findLaunchers(self);
  if (launchers.length === 0) return new Promise(() => undefined);
  for (;;) {
    const gone = launchers.find((pid) => !isAlive(pid));
    if (gone !== undefined) return `the process that started us is gone (${gone})`;
    await sleep(pollMs, undefined, { ref: false });
  }
}

/** How long ago the topmost package runner that started us began; undefined if none did. */
export function launcherAgeMs(self: number = process.ppid): number | undefined {
  const topmost = findLaunchers(self).at(-1);
  return topmost === undefined ? undefined : readProcess(topmost)?.ageMs;
}

/** From our parent up to the topmost runner; shells count only between us and a runner. */
function findLaunchers(from: number): number[] {
  const chain: number[] = [];
  let runnersEnd = 0;
  for (let pid = from; pid > 1;) {
    const facts = readProcess(pid);
    const kind = facts && kindOf(facts.command);
    if (!facts || kind === 'other') break;
    chain.push(pid);
    if (kind === 'runner') runnersEnd = chain.length;
    pid = facts.parent;
  }
  return chain.slice(0, runnersEnd);
}

/** npm's command is "npm exec …" in one word; the other runners are node with a script. */
function kindOf(command: readonly string[]): 'runner' | 'shell' | 'other' {
  const words = command
    .slice(0, 3)
    .flatMap((argument) => argument.split(' '))
    .slice(0, 3);
  if (words.some((word) => runners.test(basename(word)))) return 'runner';
  return /^(sh|dash|bash|zsh|ash)$/.test(basename(words[0] ?? '')) && words.includes('-c') ? 'shell' : 'other';
}

function isAlive(pid: number): boolean {
  const facts = readProcess(pid);
  return facts !== undefined && !facts.isZombie; // a zombie has ended, and its parent has not noticed yet
}

function readProcess(pid: number): ProcessFacts | undefined {
  try {
    return process.platform === 'linux' ? readProc(pid) : readPs(pid);
  } catch {
    return undefined; // gone
  }
}

/** `starttime` in proc(5), counted from the state; in ticks, of which Linux shows 100 per second on every machine. */
const startField = 19;
const tickMs = 10;

function readProc(pid: number): ProcessFacts {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the command's name in brackets and may contain anything, brackets too.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent] = fields;
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  const bootedMs = Number.parseFloat(readFileSync('/proc/uptime', 'utf8')) * 1_000;
  const ageMs = bootedMs - Number(fields[startField]) * tickMs;
  return { parent: Number(parent), isZombie: state === 'Z', command, ageMs };
}

function readPs(pid: number): ProcessFacts {
  const line = execFileSync('ps', ['-ww', '-o', 'ppid=,stat=,etime=,args=', '-p', String(pid)], {
    encoding: 'utf8',
  }).trim();
  const [parent, state = '', elapsed = '', ...command] = line.split(/\s+/);
  return { parent: Number(parent), isZombie: state.startsWith('Z'), command, ageMs: toMs(elapsed) };
}

/** From what `ps` writes: `[[dd-]hh:]mm:ss`. */
function toMs(elapsed: string): number {
  const [seconds = 0, minutes = 0, hours = 0, days = 0] = elapsed.split(/[-:]/).map(Number).reverse();
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
}
