import { loadStandalone } from './load-standalone.ts';
import { startTalking } from './start-talking.ts';

const runStandalone = await loadStandalone(startTalking('loading its modules'));
await runStandalone({ args: process.argv.slice(2), environment: process.env });
