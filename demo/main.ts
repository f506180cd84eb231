import { Command } from 'commander';
import { DemoError } from './demo-error.ts';
import { printReport } from './print-report.ts';
import { createProgress } from './progress.ts';
import { runDemo, type DemoResult, type ServiceAddress } from './run-demo.ts';
import { withThrowAwayService } from './throw-away-service.ts';

interface Flags {
  readonly baseUrl?: string;
  readonly pdf: string;
  readonly json?: true;
}

const program = new Command('pnpm demo')
  .description(
    'Plays an hour of real calls, from events to invoices and a payout, on a Tollgate of its own. It removes that Tollgate afterwards.',
  )
  .option('--json', 'print the result for machines')
  .option('--pdf <folder>', 'folder for the printed invoices', 'demo-invoices')
  .option('--base-url <url>', 'use this running Tollgate: empty, sandbox, OPERATOR_TOKEN in the environment')
  .allowExcessArguments(false)
  .showSuggestionAfterError()
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .addHelpText(
    'after',
    `
Exit codes: 0 everything agrees, 1 it does not or the demo failed, 2 the command was not understood.
For nothing but JSON on standard output: npx -y pnpm@10 --silent demo --json`,
  );
const given = process.argv.slice(2);
const flags = program.parse(given[0] === '--' ? given.slice(1) : given, { from: 'user' }).opts<Flags>();

try {
  const result = await play(flags);
  const { report } = result;
  const text = flags.json ? `${JSON.stringify(report, null, 2)}\n` : printReport(result, process.stdout);
  process.stdout.write(text);
  process.exitCode = report.reconcile.equal ? 0 : 1;
} catch (error) {
  if (!(error instanceof DemoError)) throw error;
  process.stderr.write(`demo: ${error.message}\n`);
  process.exit(1); // requests may still wait for the stopped service
}

function play({ baseUrl, pdf }: Flags): Promise<DemoResult> {
  const progress = createProgress(process.stderr);
  const run = (service: ServiceAddress) => runDemo(service, { progress, pdfFolder: pdf });
  if (baseUrl === undefined) return withThrowAwayService({ progress, stopped: signalled() }, run);
  const operatorToken = process.env['OPERATOR_TOKEN'];
  if (!operatorToken) throw new DemoError('--base-url needs OPERATOR_TOKEN in the environment');
  return run({ baseUrl, operatorToken });
}

/** Rejects on SIGINT and SIGTERM, so that the demo stops what it started before it ends. */
function signalled(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => reject(new DemoError(`ended by ${signal}`)));
    }
  });
}
