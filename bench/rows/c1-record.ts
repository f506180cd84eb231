import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@tollgate/kernel/clock';
import { Meter, type ToolCall } from '@tollgate/sdk';
import { defineRow, type Row, type RowContext, type Side } from '../row.ts';
import { percentile } from '../statistics.ts';

const waiting = 64;
const inMemory = 200_000;
const call: ToolCall = { tool: 'search', duration_ms: 12, success: true, metadata: { tokens: 812 } };
const lineBytes = 184; // the spool writes so many for this call, as read from a segment
const nobody = { apiKey: 'none', url: 'http://127.0.0.1:9', maxBytes: 8 * 1024 ** 3, onWarning: () => undefined };

/**
 * The rows for the time that a program pays for `record()`. Nobody takes the events meanwhile, so that all of the time
 * is the meter's.
 */
export const recordRows: readonly Row[] = [
  defineRow<SpoolSide>({
    id: 'C1',
    ours: `record() per second with durability disk, ${waiting} waiting, one process`,
    ceiling: `lines per second of ${waiting} per write, each write followed by fdatasync, same disk`,
    unit: '/s',
    figure: 'value',
    isHigherBetter: true,
    goal: { of: 'figure', bound: { atLeast: 50_000 } },
    isComparable: false,
    openOurs: (context) => openSpool(context, ({ answers, seconds }) => answers / seconds),
    openCeiling: async ({ seconds }, { folder }) => ({
      processes: own,
      async measure() {
        const waitsMs = await flush(folder, seconds);
        return { events: waitsMs.length * waiting, value: (waitsMs.length * waiting) / seconds };
      },
      close: async () => undefined,
    }),
  }),
  defineRow({
    id: 'C2',
    ours: `ms that half of all record() wait beyond the fdatasync of the same lines, ${waiting} waiting`,
    ceiling: undefined,
    unit: 'ms',
    figure: 'value',
    isHigherBetter: false,
    goal: { of: 'figure', bound: { atMost: 1 } },
    isComparable: false,
    openOurs: async (context) => {
      let flushedMs = Number.NaN;
      const side = await openSpool(context, ({ waitsMs }) => percentile(waitsMs, 0.5) - flushedMs);
      const prepare = async () => void (flushedMs = percentile(await flush(side.folder, context.seconds), 0.5));
      return { ...side, prepare };
    },
  }),
  defineRow({
    id: 'C3',
    ours: 'µs of one record() with durability memory, one after the other',
    ceiling: undefined,
    unit: 'µs',
    figure: 'value',
    isHigherBetter: false,
    goal: { of: 'figure', bound: { atMost: 2 } },
    isComparable: false,
    openOurs: openMemory,
  }),
];

interface SpoolSide extends Side {
  readonly folder: string;
}

interface RecordLoad {
  readonly answers: number;
  readonly seconds: number;
  readonly waitsMs: readonly number[];
}

const own = [{ name: 'bench (records)', pid: process.pid }];

/** A spool of its own per round, removed with its folder. */
async function openSpool({ seconds }: RowContext, value: (load: RecordLoad) => number): Promise<SpoolSide> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-record-'));
  return {
    folder,
    processes: own,
    async measure() {
      const dir = await mkdtemp(join(folder, 'spool-'));
      const meter = await Meter.open({ ...nobody, dir });
      const load = await record(meter, seconds);
      await meter.close({ timeoutMs: 0 });
      await rm(dir, { recursive: true });
      return { events: load.answers, value: value(load) };
    },
    close: () => rm(folder, { recursive: true }),
  };
}

async function record(meter: Meter, atLeastSeconds: number): Promise<RecordLoad> {
  const waitsMs: number[] = [];
  const startedMs = systemClock.monotonicMs();
  const endMs = startedMs + atLeastSeconds * 1_000;
  const recordOn = async (): Promise<void> => {
    for (let atMs = systemClock.monotonicMs(); atMs < endMs;) {
      await meter.record(call);
      const doneMs = systemClock.monotonicMs();
      waitsMs.push(doneMs - atMs);
      atMs = doneMs;
    }
  };
  await Promise.all(Array.from({ length: waiting }, recordOn));
  return { answers: waitsMs.length, seconds: (systemClock.monotonicMs() - startedMs) / 1_000, waitsMs };
}

/** How long each write and flush of as many lines took. */
async function flush(folder: string, seconds: number): Promise<number[]> {
  const path = join(folder, 'flushed');
  const file = await open(path, 'w');
  const lines = Buffer.alloc(lineBytes * waiting, 'x');
  const waitsMs: number[] = [];
  const endMs = systemClock.monotonicMs() + seconds * 1_000;
  for (let atMs = systemClock.monotonicMs(); atMs < endMs;) {
    await file.writeFile(lines);
    await file.datasync();
    const doneMs = systemClock.monotonicMs();
    waitsMs.push(doneMs - atMs);
    atMs = doneMs;
  }
  await file.close();
  await rm(path);
  return waitsMs;
}

async function openMemory(): Promise<Side> {
  return {
    processes: own,
    async measure() {
      const meter = await Meter.open({ ...nobody, durability: 'memory' });
      const startedMs = systemClock.monotonicMs();
      for (let recorded = 0; recorded < inMemory; recorded += 1) await meter.record(call);
      const micros = (systemClock.monotonicMs() - startedMs) * 1_000;
      await meter.close({ timeoutMs: 0 });
      return { events: inMemory, value: micros / inMemory };
    },
    close: async () => undefined,
  };
}
