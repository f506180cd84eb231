/**
 * A program that meters its calls, to be killed: `node recording-program.ts <dir> <url> <concurrency> <count>`. It prints
 * the key of every event before it records it (`begun`) and after `record()` has returned (`kept`).
 */
import { writeSync } from 'node:fs';
import { Meter } from '../../src/sdk.ts';

const [dir = '', url = '', concurrency = '1', count = '1000000000'] = process.argv.slice(2);
const print = (line: string): number => writeSync(1, `${line}\n`);
const meter = await Meter.open({ dir, url, lingerMs: 5, onWarning: (message) => print(`warning ${message}`) });
let left = Number(count);

print('open');
await Promise.all(Array.from({ length: Number(concurrency) }, recordAll));
const { left: unsent } = await meter.close({ timeoutMs: 60_000 });
print(`closed ${unsent}`);

async function recordAll(): Promise<void> {
  while (left > 0) {
    left -= 1;
    const idempotencyKey = crypto.randomUUID();
    print(`begun ${idempotencyKey}`);
    await meter.record({ tool: 'search', duration_ms: 1, idempotencyKey });
    print(`kept ${idempotencyKey}`);
  }
}
