import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { startChildService, type ChildService } from './child-service.ts';
import { eventually } from './eventually.ts';

export interface StandaloneProcess extends ChildService {
  /** Waits until it serves. */
  ready(): Promise<{ readonly baseUrl: string; readonly dataDir: string }>;
}

export interface StandaloneOptions {
  readonly dataDir: string;
  /** Added to `--port 0 --data <dataDir>`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
export const standaloneMain = join(root, 'services/standalone/dist/main.js');
export const standaloneCli = join(root, 'services/standalone/dist/cli.js');
const startPatienceMs = 20_000;

/**
 * All of Tollgate as `pnpm start` runs it: the built program, a process group of its own. Call `buildStandalone` before,
 * and `destroy` after, which ends its PostgreSQL too.
 */
export function startStandalone({ dataDir, args = [], env = {} }: StandaloneOptions): StandaloneProcess {
  const service = startChildService({
    command: process.execPath,
    args: ['--enable-source-maps', standaloneMain, '--port', '0', '--data', dataDir, ...args],
    env,
    dataDir,
  });
  return { ...service, ready: () => readyAt(service) };
}

/** Where a standalone says that it serves. */
export async function readyAt(service: ChildService): Promise<{ baseUrl: string; dataDir: string }> {
  const [, baseUrl = ''] = await service.line(/ready: (http:\S+)/, { withinMs: startPatienceMs });
  const [, dataDir = ''] = await service.line(/^Data: +(.+)$/m, { withinMs: startPatienceMs });
  return { baseUrl, dataDir };
}

/** Builds what `pnpm start` would build, once a run; whoever comes second waits. */
export async function buildStandalone(): Promise<void> {
  const runFolder = dirname(process.env['TOLLGATE_TEST_CLUSTER'] ?? '');
  const isFirst = mkdirSync(join(runFolder, 'build', 'claimed'), { recursive: true }) !== undefined;
  const done = join(runFolder, 'build', 'done');
  if (!isFirst) return void (await eventually(() => existsSync(done), { withinMs: 60_000 }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '-b', join(root, 'services/standalone/tsconfig.build.json')]).catch(
    (error: { stdout?: string }) => {
      throw new Error(`tsc -b failed:\n${error.stdout ?? String(error)}`);
    },
  );
  writeFileSync(done, '');
}
