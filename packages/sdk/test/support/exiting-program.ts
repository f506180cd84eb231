/**
 * A program that leaves the sending to `closeOnExit`: `node exiting-program.ts <dir> <url> <way>`. It records one event
 * under the key `way`, and then ends (`ended`), waits for a signal (`terminated`), or ends itself after the signal, once
 * its spool is empty (`handled`).
 */
import { readdirSync, writeSync } from 'node:fs';
import { Meter } from '../../src/sdk.ts';

const [dir = '', url = '', way = ''] = process.argv.slice(2);
const meter = await Meter.open({ dir, url, apiKey: 'tg_live_test', lingerMs: 60_000, closeOnExit: true });
await meter.record({ tool: 'search', idempotencyKey: way });
if (way !== 'ended') setInterval(() => undefined, 60_000);
if (way === 'handled') process.once('SIGTERM', () => setInterval(endIfSent, 20));
writeSync(1, 'recorded\n');

function endIfSent(): void {
  if (readdirSync(dir).join() === 'account.json') process.exit(7);
}
