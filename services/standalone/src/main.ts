import { startTalking } from './start-talking.ts';

const talking = startTalking('loading its modules');
const { runStandalone } = await import('./run-standalone.ts');
await runStandalone({ args: process.argv.slice(2), environment: process.env, talking });
