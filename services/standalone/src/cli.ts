import { runCli } from './run-cli.ts';

await runCli({ args: process.argv.slice(2), environment: process.env });
