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

/** As it says that a project is compiled, and not only looked at. */
const buildingLine = /^\d+:\d\d:\d\d [AP]M - Building project/;

export interface Compiled {
  /** The exit code. */
  readonly code: number;
  /** Whether any project was out of date. */
  readonly hasBuilt: boolean;
}

/** What compiles these projects and those that they refer to. */
export function compilerCommand(...projects: readonly string[]): string[] {
  const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
  return [process.execPath, compiler, '-b', '--verbose', ...projects];
}

/** Runs a compiler, and says every other second which project it has come to. Complaints are passed on. */
export async function compileTalking(
  [command = '', ...args]: readonly string[],
  say: (line: string) => void,
): Promise<Compiled> {
  const child = spawn(command, args, { stdio: ['inherit', 'pipe', 'inherit'] });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal));
  const projects = new Set<string>();
  let hasTalked = false;
  let hasBuilt = false;
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
  if (hasTalked && code === 0) say('Compiled.'); // the program that runs next takes a moment to load
  return { code: code ?? 1, hasBuilt };

  function hear(line: string): void {
    hasBuilt ||= buildingLine.test(line);
    const [, project] = projectLine.exec(line) ?? [];
    if (project !== undefined) {
      projects.add(project);
      heartbeat.at(`Compiling Tollgate: ${project}, project ${projects.size}`);
    } else if (!noise.test(line)) say(line);
  }
}
