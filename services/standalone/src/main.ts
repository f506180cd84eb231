import { runStandalone } from './run-standalone.ts';

await runStandalone({ args: process.argv.slice(2), environment: process.env });
