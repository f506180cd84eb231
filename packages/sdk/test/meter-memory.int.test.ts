import { execFile } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildPackage } from '../../../tools/release/pack-package.ts';
import { segmentHeader, toLine } from '../src/meter/spool-format.ts';
import { newWriter, segmentName } from '../src/meter/spool-names.ts';

const built = new URL('../dist/sdk.js', import.meta.url);
const events = 1_000_000;
const eventsPerSegment = 25_000; // 4 MiB
const mebibyte = 1024;

/**
 * The memory that the process owns, in KiB. The rest of its resident memory is the program of Node, read from its file:
 * 45 MiB that all processes of Node share, and that grow with the functions that are used.
 */
const ownMemory = "Number(/RssAnon:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1])";

/** Opens a meter whose service is away, and says what the process owns after some requests have failed. */
const opening = `
import { readFileSync } from 'node:fs';
import { Meter } from '${built.href}';
const options = { url: 'http://127.0.0.1:9', apiKey: 'tg_live_nobody', maxBytes: 2 ** 30, onWarning() {} };
const meter = await Meter.open({ ...options, dir: process.argv[2] });
const { queued } = meter.stats();
while (queued > 0 && meter.stats().failures < 3) await new Promise((resolve) => setTimeout(resolve, 50));
process.stdout.write(JSON.stringify({ queued, kib: ${ownMemory} }));
process.exit(0);`;

/** Records a million events with 64 waiting, and says what the process owns. */
const recording = `
import { readFileSync } from 'node:fs';
import { Meter } from '${built.href}';
const options = { url: 'http://127.0.0.1:9', apiKey: 'tg_live_nobody', maxBytes: 2 ** 30, durability: 'os', onWarning() {} };
const meter = await Meter.open({ ...options, dir: process.argv[2] });
let left = ${events};
const record = async () => {
  while (left-- > 0) await meter.record({ tool: 'web-search', duration_ms: 12, metadata: { tokens: 345 } });
};
await Promise.all(Array.from({ length: 64 }, record));
process.stdout.write(JSON.stringify({ queued: meter.stats().queued, kib: ${ownMemory} }));
process.exit(0);`;

let folder: string;
beforeAll(() => {
  buildPackage('packages/sdk');
  folder = mkdtempSync(join(tmpdir(), 'meter-memory-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function run(program: string, dir: string): Promise<{ readonly queued: number; readonly kib: number }> {
  const file = join(folder, 'program.mjs');
  writeFileSync(file, program);
  const { stdout } = await promisify(execFile)(process.execPath, [file, dir]);
  return JSON.parse(stdout) as { queued: number; kib: number };
}

/** Leaves events as a writer does that died. */
function leaveEvents(dir: string): void {
  const writer = newWriter();
  for (let from = 0, number = 1; from < events; from += eventsPerSegment, number += 1) {
    const file = openSync(join(dir, segmentName(writer, number)), 'w');
    const lines = Array.from({ length: eventsPerSegment }, (_, index) =>
      toLine(
        JSON.stringify({ tool_id: 'web-search', idempotency_key: `event-${from + index}`, metadata: { n: index } }),
      ),
    );
    writeSync(file, `${String(segmentHeader)}${lines.join('')}`);
    closeSync(file);
  }
}

const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux('the memory of a process', () => {
  it('grows by no more than 20 MB when a million events wait in its spool, and stays below 64 MB', async () => {
    const [none, many] = ['none', 'many'].map((name) => mkdtempSync(join(folder, name))) as [string, string];
    leaveEvents(many);
    const [empty, full] = [await run(opening, none), await run(opening, many)];
    expect([empty.queued, full.queued]).toEqual([0, events]);
    process.stderr.write(`memory of a meter: ${JSON.stringify({ empty: empty.kib, full: full.kib })} KiB\n`);
    expect(full.kib - empty.kib).toBeLessThan(20 * mebibyte); // half of it is fetch, which an empty spool does not need
    expect(full.kib).toBeLessThan(64 * mebibyte);
  }, 120_000);

  it('stays below 64 MB while it records a million events', async () => {
    const { queued, kib } = await run(recording, mkdtempSync(join(folder, 'recorded')));
    process.stderr.write(`memory of a recording program: ${kib} KiB\n`);
    expect(queued).toBe(events);
    expect(kib).toBeLessThan(64 * mebibyte);
  }, 300_000);
});
