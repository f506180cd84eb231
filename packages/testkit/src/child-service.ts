import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';

import { eventually } from './eventually.ts';
import { startKeeper } from './keeper.ts';

export interface ChildServiceOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** The whole environment besides PATH, so that a test does not depend on the shell that runs it. */
  readonly env?: Readonly<Record<string, string>>;
  /** A data folder with an embedded PostgreSQL. It runs outside the process group; `destroy` ends it too. */
  readonly dataDir?: string;
  /** A new file for the output, which otherwise stays in memory. For programs that run long. */
  readonly logFile?: string | undefined;
}

export interface ChildService {
  readonly pid: number;
  /** Everything printed so far, standard output and error in the order of arrival. */
  output(): string;
  /** Waits for the first line that matches; throws with the output when the process ends or the time runs out. */
  line(pattern: RegExp, options: { withinMs: number }): Promise<RegExpMatchArray>;
  /** Signals the leader alone, as `kill <pid>` does. */
  signal(signal: NodeJS.Signals): void;
  /** Signals the process group: SIGKILL kills it, SIGCONT lets it go on after `freeze`. */
  signalGroup(signal: NodeJS.Signals): void;
  /** SIGSTOP to the process group. Resolves when no thread of the leader runs any more, which may be after the signal. */
  freeze(): Promise<void>;
  /** Resolves when the process has ended. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Kills the rest of the group, and the PostgreSQL of its data folder. */
  destroy(): Promise<void>;
}

/**
 * Starts a program as the leader of its own process group. A keeper ends the group and the PostgreSQL of its data folder,
 * when `destroy` is called or when the test run dies.
 */
export function startChildService(options: ChildServiceOptions): ChildService {
  const { command, args, cwd, env, dataDir, logFile } = options;
  const log = logFile === undefined ? undefined : openSync(logFile, 'w');
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    detached: true,
    stdio: ['ignore', log ?? 'pipe', log ?? 'pipe'],
  });
  if (log !== undefined) closeSync(log);
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${command} cannot be started`);
  const keeper = startKeeper({ processGroup: pid, dataDir });
  const output = logFile === undefined ? collectOutput(child) : () => readFileSync(logFile, 'utf8');
  let hasExited = false;
  const exited = once(child, 'exit').then(([code, signal]: (number | NodeJS.Signals | null)[]) => {
    hasExited = true;
    return { code: code as number | null, signal: signal as NodeJS.Signals | null };
  });
  return {
    pid,
    output,
    exited,
    line: (pattern, { withinMs }) => findLine(output, { pattern, withinMs, hasExited: () => hasExited }),
    signal: (signal) => void child.kill(signal),
    signalGroup: (signal) => signalGroup(pid, signal),
    async freeze() {
      signalGroup(pid, 'SIGSTOP');
      await eventually(() => hasExited || hasStopped(pid), { withinMs: 5_000 });
    },
    async destroy() {
      await keeper.end();
      await exited;
    },
  };
}

function collectOutput(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return () => text;
}

interface LineSearch {
  readonly pattern: RegExp;
  readonly withinMs: number;
  readonly hasExited: () => boolean;
}

async function findLine(output: () => string, { pattern, withinMs, hasExited }: LineSearch): Promise<RegExpMatchArray> {
  const found = await eventually(() => output().match(pattern) ?? hasExited(), { withinMs }).catch(() => undefined);
  const match = typeof found === 'object' ? found : output().match(pattern); // its last words may come after its end
  if (match) return match;
  throw new Error(
    `no line like ${String(pattern)} ${hasExited() ? 'before it ended' : `within ${withinMs} ms`}; its output:\n${output()}`,
  );
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // ESRCH: already gone
  }
}

/** Linux shows the state of each thread. Elsewhere the signal has to be enough. */
function hasStopped(pid: number): boolean {
  if (!existsSync('/proc/self/task')) return true;
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.every((thread) => /\) T [^)]*$/.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')));
}
