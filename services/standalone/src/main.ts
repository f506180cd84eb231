import { loadStandalone } from './load-standalone.ts';

const runStandalone = await loadStandalone();
await runStandalone({ args: process.argv.slice(2), environment: process.env });
