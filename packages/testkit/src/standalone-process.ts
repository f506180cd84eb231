import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { isServerOf, readPostmasterFile } from '@tollgate/database/embedded/postmaster-file';

import { startChildService, type ChildService } from './child-service.ts';
import { eventually } from './eventually.ts';
import { repository } from './faults/repository.ts';

export interface StandaloneProcess extends ChildService {
  /** Waits until it serves. */
  ready(): Promise<{ readonly baseUrl: string; readonly dataDir: string }>;
  /** Kills every process at once, PostgreSQL too, as a power cut would. */
  killAll(): Promise<void>;
}

export interface StandaloneOptions {
  readonly dataDir: string;
  /** Added to `--port 0 --data <dataDir>`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export const standaloneMain = join(repository, 'services/standalone/dist/bundle/main.js');
export const standaloneCli = join(repository, 'services/standalone/dist/cli.js');
const startPatienceMs = 60_000; // an idle machine needs a second

/**
 * Starts all of Tollgate as `pnpm start` does: the built program in a process group of its own. Call `buildStandalone`
 * before and `destroy` after, which ends its PostgreSQL too.
 */
export function startStandalone({ dataDir, args = [], env = {} }: StandaloneOptions): StandaloneProcess {
  const service = startChildService({
    command: process.execPath,
    args: ['--enable-source-maps', standaloneMain, '--port', '0', '--data', dataDir, ...args],
    env,
    dataDir,
  });
  return {
    ...service,
    ready: () => readyAt(service),
    async killAll() {
      const postgres = readPostmasterFile(join(dataDir, 'postgres'));
      service.signalGroup('SIGKILL');
      if (postgres && isServerOf(join(dataDir, 'postgres'), postgres.pid)) process.kill(postgres.pid, 'SIGKILL');
      await service.destroy(); // its keeper has nothing left to end, and would keep jest waiting
    },
  };
}

/** Waits until a standalone prints its addresses. */
export async function readyAt(service: ChildService): Promise<{ baseUrl: string; dataDir: string }> {
  const [, baseUrl = ''] = await service.line(/ready: (http:\S+)/, { withinMs: startPatienceMs });
  const [, dataDir = ''] = await service.line(/^Data: +(.+)$/m, { withinMs: startPatienceMs });
  return { baseUrl, dataDir };
}

/** Builds the programs of all services, once per run. Later calls wait for the outcome of the first. */
export async function buildStandalone(): Promise<void> {
  await oncePerRun('build', build);
}

/**
 * Makes the data folder as a first start and a stop leave it. The first call of a run makes one, and all others copy it,
 * so that a test waits for no new PostgreSQL and no migrations. Does nothing if the settings count only at a first start.
 * Call `buildStandalone` before.
 */
export async function fillDataFolder(dataDir: string, env: NodeJS.ProcessEnv = {}): Promise<void> {
  if (env['SANDBOX_CLOCK_START'] !== undefined) return;
  const folder = runFolder('standalone');
  const made = join(folder, 'data');
  await oncePerRun('standalone', async () => {
    chmodSync(folder, 0o711); // the user who runs PostgreSQL enters it
    const service = startStandalone({ dataDir: made });
    await service.ready();
    service.signal('SIGTERM');
    await service.exited;
    await service.destroy();
  });
  await promisify(execFile)('cp', ['-a', made, dataDir]); // with owners and modes
}

/** A folder that is gone with this run of jest. */
function runFolder(name: string): string {
  return join(dirname(process.env['TOLLGATE_TEST_CLUSTER'] ?? ''), name);
}

/** Does the work in the first process that asks. All others wait until it has succeeded, and throw if it failed. */
async function oncePerRun(name: string, work: () => Promise<void>): Promise<void> {
  const folder = runFolder(name);
  const outcome = join(folder, 'outcome');
  const isFirst = mkdirSync(folder, { recursive: true }) !== undefined;
  if (isFirst) {
    const complaints = await work().then(
      () => '',
      (error: Error & { stderr?: string }) => error.stderr || error.message,
    );
    writeFileSync(`${outcome}.partial`, complaints);
    renameSync(`${outcome}.partial`, outcome);
  }
  await eventually(() => existsSync(outcome), { withinMs: 180_000 });
  const complaints = readFileSync(outcome, 'utf8');
  if (complaints !== '') throw new Error(`the ${name} of this run failed:\n${complaints.slice(0, 3_000)}`);
}

async function build(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(repository, 'tools/build.ts')]);
}
