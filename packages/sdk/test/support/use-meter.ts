import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import { systemClock, type Clock } from '../../src/clock.ts';
import { openMeter, type Meter, type MeterOptions } from '../../src/meter/meter.ts';
import { startCountingServer, type CountingServer } from './counting-server.ts';

export interface Bench {
  readonly dir: string;
  readonly server: CountingServer;
  readonly warnings: string[];
  /** Opens a meter on the folder; it is closed after the test, without waiting for its events. */
  open(options?: MeterOptions, clock?: Clock): Promise<Meter>;
  rejected(): { code: string; event: { idempotency_key: string } }[];
}

/** A folder and a server for each test. */
export function useMeter(): Bench {
  let dir = '';
  let server: CountingServer | undefined;
  let warnings: string[] = [];
  let meters: Meter[] = [];

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'spool-'));
    server = await startCountingServer();
    warnings = [];
    meters = [];
  });
  afterEach(async () => {
    await Promise.all(meters.map((meter) => meter.close({ timeoutMs: 0 })));
    await server?.close();
    rmSync(dir, { recursive: true, force: true });
  });

  return {
    get dir() {
      return dir;
    },
    get server() {
      if (server === undefined) throw new Error('the server runs only within a test');
      return server;
    },
    get warnings() {
      return warnings;
    },
    async open(options = {}, clock = systemClock) {
      const url = server?.baseUrl;
      const onWarning = (message: string): void => void warnings.push(message);
      const common = { dir, url, apiKey: 'tg_live_test', lingerMs: 1, onWarning };
      const meter = await openMeter({ ...common, ...options }, clock);
      meters.push(meter);
      return meter;
    },
    rejected() {
      const path = join(dir, 'rejected.jsonl');
      if (!existsSync(path)) return [];
      const lines = readFileSync(path, 'utf8').trim().split('\n');
      return lines.map((line) => JSON.parse(line) as ReturnType<Bench['rejected']>[number]);
    },
  };
}
