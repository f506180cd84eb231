import { Command, Option } from 'commander';

/** Settings as the environment would give them; only those that were given as flags. */
export type FlagSettings = Readonly<Record<string, string>>;

const settingOf: Readonly<Record<string, string>> = { port: 'PORT', host: 'HOST', data: 'DATA_DIR' };

/** A flag wins over its environment variable. `--help`, `--version` and what cannot be understood end the process here. */
export function parseFlags(args: readonly string[], version: string): FlagSettings {
  const program = new Command('pnpm start')
    .description('Tollgate, whole, in one process: meters calls of tools on an embedded PostgreSQL.')
    .addOption(new Option('--port <number>', 'port of the base URL, 0 takes a free one [PORT, 8080]'))
    .addOption(new Option('--host <address>', 'address to listen on [HOST, 127.0.0.1]'))
    .addOption(new Option('--data <folder>', 'where the data lies and survives restarts [DATA_DIR, .tollgate]'))
    .version(version)
    .allowExcessArguments(false)
    .showSuggestionAfterError()
    .addHelpText('after', '\nEach flag is also an environment variable; docs/settings.md has all settings.');
  const given = program.parse(args.filter(isNotSeparator), { from: 'user' }).opts<Record<string, string>>();
  return Object.fromEntries(
    Object.entries(given).flatMap(([flag, value]) => (settingOf[flag] ? [[settingOf[flag], value]] : [])),
  );
}

/** `pnpm start -- --port 0` passes the separator on. */
function isNotSeparator(argument: string, index: number): boolean {
  return !(index === 0 && argument === '--');
}
