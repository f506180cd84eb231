import { commandLineProblem } from '@tollgate/kernel/command-line-problem';
import { TollgateError } from '@tollgate/sdk';
import { Command, CommanderError } from 'commander';
import { addAccountCommands } from './commands/account.ts';
import { addCompletion } from './commands/completion.ts';
import { addDoctor } from './commands/doctor.ts';
import { addEventCommands } from './commands/events.ts';
import { addMcpProxy } from './commands/mcp-proxy.ts';
import { addMoneyCommands } from './commands/money.ts';
import { addPayingCommands } from './commands/paying.ts';
import { addApprovalCommands } from './commands/approvals.ts';
import { addPassCommands } from './commands/passes.ts';
import { addWebhookCommands } from './commands/webhooks.ts';
import { addServiceCommands, isServiceCommand, runServiceCommand } from './commands/service.ts';
import { addSpoolCommands } from './commands/spool.ts';
import { addToolCommands } from './commands/tools.ts';
import { addUsage } from './commands/usage.ts';
import { createSession } from './session.ts';
import { readVersion } from './version.ts';
import { createWriter } from './write-output.ts';

export interface CommandLine {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const exitCodes = `
Exit codes:
  0  done
  1  the command failed
  2  the command line is wrong
  3  not signed in, or not allowed
  4  Tollgate cannot be reached

TOLLGATE_URL and TOLLGATE_API_KEY win over what login has stored.`;

/** Runs one command and returns the exit code of the process. */
export async function runCommandLine({ args, environment }: CommandLine): Promise<number> {
  if (isServiceCommand(args[0])) return runServiceCommand(args, environment);
  const program = createProgram(environment);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    const words = wordsOf(error);
    if (words !== undefined) process.stderr.write(`tollgate: ${words}\n`);
    return exitCodeOf(error);
  }
}

/** All commands, with their help. */
export function createProgram(environment: CommandLine['environment']): Command {
  const program = new Command('tollgate')
    .description('Meters calls of tools, invoices consumers and pays builders.')
    .version(readVersion())
    .option('--json', 'print the answer as JSON')
    .option('--url <url>', 'the base URL of Tollgate [TOLLGATE_URL]')
    .configureOutput({ outputError: () => undefined }) // the caller says it, in one line
    .exitOverride()
    .addHelpText('after', exitCodes);
  const session = createSession({ environment, urlOf: () => program.opts<{ url?: string }>().url });
  const write = createWriter(() => program.opts<{ json?: boolean }>().json === true);
  const context = { session, write, environment };
  addServiceCommands(program);
  addAccountCommands(program, context);
  addToolCommands(program, context);
  addPassCommands(program, context);
  addApprovalCommands(program, context);
  addWebhookCommands(program, context);
  addPayingCommands(program, context);
  addUsage(program, context);
  addEventCommands(program, context);
  addMoneyCommands(program, context);
  addSpoolCommands(program, context);
  addMcpProxy(program, context);
  addDoctor(program, context);
  addCompletion(program);
  program.commands.forEach(refuseUnknownCommands);
  return program;
}

/** A group lists by default, and would take a mistyped command for an argument of its list. */
function refuseUnknownCommands(group: Command): void {
  const names = group.commands.map((sub) => sub.name());
  group.hook('preSubcommand', ({ args: [word] }) => {
    if (word === undefined || word.startsWith('-') || word === 'help' || names.includes(word)) return;
    group.error(`error: unknown command '${word}' of ${group.name()}; there are ${names.join(', ')}`);
  });
  group.commands.forEach(refuseUnknownCommands);
}

/** One line; undefined where commander has printed the help that was asked for. */
function wordsOf(error: unknown): string | undefined {
  if (error instanceof TollgateError) return error.status === 0 ? error.detail : error.message;
  if (!(error instanceof CommanderError)) return error instanceof Error ? error.message : String(error);
  if (error.code === 'commander.help' || error.exitCode === 0) return undefined;
  return commandLineProblem(error.message);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  return error instanceof TollgateError ? exitCodeOfRefusal(error) : 1;
}

function exitCodeOfRefusal({ status, code }: TollgateError): number {
  if (code === 'connection_failed' || code === 'timed_out') return 4;
  const isNobody = ['no_api_key', 'wrong_account', 'access_denied', 'expired_token'].includes(code);
  return status === 401 || status === 403 || isNobody ? 3 : 1;
}
