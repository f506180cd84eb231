import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { systemClock } from '../packages/kernel/src/clock.ts';
import { startHeartbeat } from '../packages/runtime/src/timing/heartbeat.ts';

/** As `tsc -b --verbose` says that it has come to a project. */
const projectLine = /^\d+:\d\d:\d\d [AP]M - (?:Building project|Project) '(.+)\/tsconfig\.build\.json'/;
/** All else that it says while nothing is wrong. */
const noise = /^\d+:\d\d:\d\d [AP]M - |^ {4}\* |^$/;

export interface Listener {
  /** Reports how far it is, and its complaints. */
  readonly say: (line: string) => void;
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Returns the command that compiles these projects and those that they refer to. */
export function compilerCommand(...projects: readonly string[]): string[] {
  const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
  return [process.execPath, compiler, '-b', '--verbose', ...projects];
}

/**
 * Runs a compiler, and says every other second which project it has come to. Complaints are passed on. A signal ends the
 * compiler. Returns the exit code.
 */
export async function compileTalking([command = '', ...args]: readonly string[], { say }: Listener): Promise<number> {
  const child = spawn(command, args, { stdio: ['inherit', 'pipe', 'inherit'] });
  let isStopped = false;
  const stop = (signal: NodeJS.Signals): void => {
    isStopped = true;
    child.kill(signal);
  };
  for (const signal of signals) process.on(signal, stop);
  const projects = new Set<string>();
  let hasTalked = false;
  const heartbeat = startHeartbeat({
    clock: systemClock,
    say(step, seconds) {
      hasTalked = true;
      say(`${step}, ${seconds} s`);
    },
  });
  heartbeat.at('Compiling Tollgate');
  const ended = once(child, 'close') as Promise<[number | null]>;
  for await (const line of createInterface({ input: child.stdout })) hear(line);
  const [code] = await ended;
  heartbeat.stop();
  for (const signal of signals) process.off(signal, stop); // the rest of this process has its own way to end
  if (hasTalked && code === 0) say('Compiled.'); // the program that runs next takes a moment to load
  return isStopped ? 1 : (code ?? 1);

  function hear(line: string): void {
    const [, project] = projectLine.exec(line) ?? [];
    if (project !== undefined) {
      projects.add(project);
      heartbeat.at(`Compiling Tollgate: ${project}, project ${projects.size}`);
    } else if (!noise.test(line)) say(line);
  }
}
