import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

import type { Terminal } from './run-standalone.ts';
import type { Talking } from './start-talking.ts';

export type RunStandalone = (terminal: Omit<Terminal, 'talking'>) => Promise<void>;

/** Loads all modules of the program, which takes a second. Nothing runs before the returned function is called. */
export async function loadStandalone(talking: Talking): Promise<RunStandalone> {
  // A later start need not compile again. A folder that cannot be written, or an older Node, only means that it does.
  nodeModule.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
  // For our code alone: with the maps of libraries, loading takes 1,281 ms in place of 1,219 (medians of seven loads).
  nodeModule.setSourceMapsSupport?.(true, { nodeModules: false });
  const { runStandalone } = await import('./run-standalone.ts');
  return (terminal) => runStandalone({ ...terminal, talking });
}
