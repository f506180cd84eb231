import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll } from '@jest/globals';
import { createHttpClient, type HttpClient } from '@tollgate/testkit/http-client';
import {
  buildStandalone,
  fillDataFolder,
  startStandalone,
  type StandaloneProcess,
} from '@tollgate/testkit/standalone-process';

export interface StandaloneUnderTest {
  readonly folder: string;
  readonly dataDir: string;
  readonly baseUrl: string;
  readonly service: StandaloneProcess;
  readonly send: HttpClient;
}

/** A folder that the user who runs PostgreSQL can enter, also below one that only root can enter. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-standalone-'));
  chmodSync(folder, 0o711);
  return folder;
}

/** One running Tollgate for a whole suite, on a data folder of its own. Its members are set when the suite's tests run. */
export function useStandalone(env: Readonly<Record<string, string>> = {}): StandaloneUnderTest {
  const running = {} as { -readonly [Name in keyof StandaloneUnderTest]: StandaloneUnderTest[Name] };
  beforeAll(async () => {
    await buildStandalone();
    running.folder = makeFolder();
    running.dataDir = join(running.folder, 'data');
    await fillDataFolder(running.dataDir, env);
    running.service = startStandalone({ dataDir: running.dataDir, env });
    running.baseUrl = (await running.service.ready()).baseUrl;
    running.send = createHttpClient({ baseUrl: running.baseUrl });
  }, 120_000);
  afterAll(async () => {
    await running.service.destroy();
    rmSync(running.folder, { recursive: true, force: true });
  });
  return running;
}

/** Runs the work beside a Tollgate on the data folder, and destroys that one afterwards. */
export async function withStandalone(dataDir: string, work: (send: HttpClient) => Promise<void>): Promise<void> {
  const service = startStandalone({ dataDir });
  try {
    await work(createHttpClient(await service.ready()));
  } finally {
    await service.destroy();
  }
}
