import { systemClock } from '@tollgate/kernel/clock';
import type { Environment } from '@tollgate/runtime/config/load-config';
import { chooseDataFolder } from '@tollgate/database/embedded/choose-data-folder';
import { launcherAgeMs, launcherGone } from '@tollgate/runtime/lifecycle/launcher-gone';
import { runUntilSignal, type LifecycleLog } from '@tollgate/runtime/lifecycle/run-until-signal';
import type { Service } from '@tollgate/kernel/service';
import { createLogger, type Logger } from '@tollgate/runtime/logging/create-logger';

import { baseUrlOf } from './base-url.ts';
import type { StandaloneConfig } from './config.ts';
import { explainFailure } from './explain-failure.ts';
import { readStandaloneConfig } from './load-configs.ts';
import { parseFlags } from './parse-flags.ts';
import { createStandalone, type Standalone } from './service.ts';
import type { Talking } from './start-talking.ts';
import { tellSystemd, type SystemdState } from './systemd/tell-systemd.ts';
import { readVersion } from './version.ts';
import { welcomeText } from './welcome.ts';

export interface Terminal {
  /** The words that the user types before the arguments. */
  readonly name?: string;
  readonly args: readonly string[];
  readonly environment: Environment;
  /** Has been started by the program, which is then silent only once Tollgate is ready. */
  readonly talking: Talking;
}

/** Runs `pnpm start` until the process ends. Logs go to standard error, text for people to standard output. */
export async function runStandalone({ name = 'pnpm start', args, environment, talking }: Terminal): Promise<void> {
  const settings = { ...environment, ...parseFlags(args, readVersion(), name) };
  const config = readConfig(settings);
  const logFor = (name: string): Logger => createLogger({ name, level: config.LOG_LEVEL, destination: process.stderr });
  const dataDir = chooseDataFolder(config.DATA_DIR, '.tollgate');
  const deps = { environment: settings, dataDir, clock: systemClock, logFor, onStep: talking.at };
  const standalone = createStandalone(config, deps);
  const { farewell, welcome } = createGreetings(standalone, {
    dataDir,
    ageMs: () => launcherAgeMs() ?? process.uptime() * 1_000,
    onReady: talking.stop,
    tell: (state) => tellSystemd(state, { environment, log: logFor('standalone') }),
  });
  await runUntilSignal([farewell, standalone, welcome], {
    log: explained(logFor('standalone')),
    until: [launcherGone(), standalone.failed],
  });
}

function readConfig(settings: Environment): StandaloneConfig {
  try {
    return readStandaloneConfig(settings);
  } catch (error) {
    process.stderr.write(`tollgate: ${explainFailure(error) ?? String(error)}\n`);
    process.exit(1);
  }
}

interface Greeting {
  readonly dataDir: string;
  /** How long ago the command began: what `npx` and `pnpm` fetched and built before us is the newcomer's time, too. */
  readonly ageMs: () => number;
  readonly onReady: () => Promise<void>;
  readonly tell: (state: SystemdState) => Promise<void>;
}

/** Greets people and systemd when everything has started, and says at the very end where the data is. Services stop in reverse order. */
function createGreetings(
  standalone: Standalone,
  { dataDir, ageMs, onReady, tell }: Greeting,
): { farewell: Service; welcome: Service } {
  let isReady = false;
  return {
    farewell: {
      name: 'farewell',
      start: async () => undefined,
      async stop() {
        if (isReady) process.stdout.write(`\nTollgate has stopped. Its data is kept in ${dataDir}\n`);
      },
    },
    welcome: {
      name: 'welcome',
      async start() {
        await onReady();
        const baseUrl = baseUrlOf(standalone.address());
        process.stdout.write(welcomeText({ baseUrl, dataDir, postgres: standalone.postgres(), startedInMs: ageMs() }));
        isReady = true;
        await tell('READY=1');
      },
      stop: () => tell('STOPPING=1'),
    },
  };
}

/** A failure that the operator can correct becomes one line without a stack; any other goes to the log. */
function explained(log: Logger): LifecycleLog {
  return {
    info(facts, message) {
      log.info(facts, message);
    },
    error(facts, message) {
      const line = explainFailure('err' in facts ? facts.err : undefined);
      if (line === undefined) log.error(facts, message);
      else process.stderr.write(`tollgate: ${line}\n`);
    },
  };
}
