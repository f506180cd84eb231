import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

import { startTalking } from './start-talking.ts';

const talking = startTalking('loading its modules');
// A later start need not compile again. A folder that cannot be written, or an older Node, only means that it does.
nodeModule.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
nodeModule.setSourceMapsSupport?.(true);
const { runStandalone } = await import('./run-standalone.ts');
await runStandalone({ args: process.argv.slice(2), environment: process.env, talking });
