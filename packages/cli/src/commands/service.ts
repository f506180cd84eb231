import type { Command } from 'commander';

type Environment = Readonly<Record<string, string | undefined>>;

export function isServiceCommand(name: string | undefined): boolean {
  return name === 'start' || name === 'operator';
}

const nodeMin = [22, 13] as const; // the lock of the data folder is node:sqlite

/** They read their own command lines: flags of theirs must not be taken for ours. The service is loaded for them alone. */
export async function runServiceCommand([name, ...args]: readonly string[], environment: Environment): Promise<number> {
  if (!isNewEnough(process.versions.node)) {
    const needed = `\`${name}\` needs Node ${nodeMin.join('.')} or newer, and this is ${process.versions.node}`;
    process.stderr.write(`tollgate: ${needed}. This runs it by a newer one, which npx fetches:\n\n`);
    process.stderr.write(`  npx -y node@24 ${[process.argv[1], name, ...args].map(quoted).join(' ')}\n\n`);
    return 1;
  }
  try {
    await loadAndRun(name, args, environment);
  } catch (error) {
    if (!isWithoutService(error)) throw error;
    process.stderr.write(`tollgate: this installation has the client commands alone. ${elsewhere(name)}\n`);
    return 1;
  }
  return Number(process.exitCode ?? 0);
}

/** As a shell reads it. */
export function quoted(word = ''): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

async function loadAndRun(name: string | undefined, args: readonly string[], environment: Environment): Promise<void> {
  if (name === 'start') {
    const { startTalking } = await import('@tollgate/standalone/start-talking');
    const talking = startTalking('loading its modules');
    const { runStandalone } = await import('@tollgate/standalone/run-standalone');
    await runStandalone({ name: 'tollgate start', args, environment, talking });
  } else {
    const { runCli } = await import('@tollgate/standalone/run-cli');
    await runCli({ args, environment });
  }
}

/** The image of the command line leaves the service out: it brings no PostgreSQL that could run there. */
export function isWithoutService(error: unknown): boolean {
  const { code, message } = Object(error) as NodeJS.ErrnoException;
  return code === 'ERR_MODULE_NOT_FOUND' && /'@tollgate\/standalone'/.test(String(message));
}

function elsewhere(name: string | undefined): string {
  return name === 'start'
    ? 'Start the service with Node: `npx tollgate start`; or as containers: `docker compose up` in a checkout.'
    : 'The image tollgate/standalone has the operator’s commands: `docker run … tollgate/standalone node dist/cli.js --help`.';
}

export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > nodeMin[0] || (major === nodeMin[0] && minor >= nodeMin[1]);
}

/** For `tollgate --help`; `run-command-line.ts` never gets here. */
export function addServiceCommands(program: Command): void {
  program.command('start').description('start the whole service here; `tollgate start --help` has its options');
  program.command('operator').description('commands of the operator, on the database: `tollgate operator --help`');
}
