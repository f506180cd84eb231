import { Command, Option } from 'commander';

/** The given flags alone, under the names of their settings. */
export type FlagSettings = Readonly<Record<string, string>>;

const settingOf: Readonly<Record<string, string>> = { port: 'PORT', host: 'HOST', data: 'DATA_DIR' };

/** A flag wins over its environment variable. `--help`, `--version` and a wrong flag end the process here. */
export function parseFlags(args: readonly string[], version: string, name = 'pnpm start'): FlagSettings {
  const program = new Command(name)
    .description('All of Tollgate in one process, on an embedded PostgreSQL.')
    .addOption(new Option('--port <number>', 'port of the base URL, 0 takes a free port [PORT, 8080]'))
    .addOption(new Option('--host <address>', 'address to listen on [HOST, 127.0.0.1]'))
    .addOption(new Option('--data <folder>', 'folder of the data, which survives restarts [DATA_DIR, .tollgate]'))
    .version(version)
    .allowExcessArguments(false)
    .showSuggestionAfterError()
    .addHelpText('after', '\nEach flag is also an environment variable; docs/settings.md has all settings.');
  const given = program.parse(args.filter(isNotSeparator), { from: 'user' }).opts<Record<string, string>>();
  return Object.fromEntries(
    Object.entries(given).flatMap(([flag, value]) => (settingOf[flag] ? [[settingOf[flag], value]] : [])),
  );
}

/** pnpm passes the separator of `pnpm start -- --port 0` to the program. */
function isNotSeparator(argument: string, index: number): boolean {
  return !(index === 0 && argument === '--');
}
