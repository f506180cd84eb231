import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RunStandalone } from '../services/standalone/src/load-standalone.ts';
import type { Talking } from '../services/standalone/src/start-talking.ts';
import { compileTalking, compilerCommand } from './compile-talking.ts';

/** What the modules of `services/standalone` have. */
interface Program {
  readonly startTalking: (step: string) => Talking;
  readonly loadStandalone: (talking: Talking) => Promise<RunStandalone>;
}

/**
 * Compiles what has changed in `folder`, and runs the program that its `dist` has. The compiler looks at a thousand files
 * before it knows that none has. So what was compiled before is loaded meanwhile, and run if nothing has changed.
 */
export async function startCompiled(folder: string, args: readonly string[]): Promise<void> {
  let isStale = false;
  const compiling = compileTalking(compilerCommand(join(folder, 'tsconfig.build.json')), {
    say: (line) => void process.stderr.write(`${line}\n`),
    onBuilding() {
      isStale = true;
      void early?.then(({ talking }) => talking.stop()).catch(ignore);
    },
  });
  const early = existsSync(join(folder, 'dist/load-standalone.js')) ? load(folder) : undefined;
  early?.then(({ loading }) => loading).catch(ignore);
  const code = await compiling;
  if (code !== 0) process.exit(code);
  if (early !== undefined && isStale) runAnew(folder, args);
  const { loading } = await (early ?? load(folder));
  const runStandalone = await loading;
  await runStandalone({ args, environment: process.env });
}

/** Not the sources: they would be another program, in the same process. */
async function load(folder: string) {
  const { startTalking } = (await import(join(folder, 'dist/start-talking.js'))) as Pick<Program, 'startTalking'>;
  const talking = startTalking('loading its modules');
  const program = import(join(folder, 'dist/load-standalone.js')) as Promise<Pick<Program, 'loadStandalone'>>;
  return { talking, loading: program.then(({ loadStandalone }) => loadStandalone(talking)) };
}

/** Modules of the program before are loaded. This process becomes one that has none of them, with the same id. */
function runAnew(folder: string, args: readonly string[]): never {
  const environment = { ...process.env, START_BEGAN_MS: String(Math.round(performance.timeOrigin)) };
  process.execve?.(process.execPath, [process.execPath, join(folder, 'dist/main.js'), ...args], environment);
  throw new Error('this Node cannot run the program anew: start again'); // it is older than the one that is installed
}

function ignore(): void {
  // what was loaded early may be half of an old program; then the compiler has more to say
}
