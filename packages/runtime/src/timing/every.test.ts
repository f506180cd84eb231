import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { hourMs } from '@tollgate/kernel/durations';
import { eventually } from '@tollgate/testkit/eventually';
import { createLogger } from '../logging/create-logger.ts';
import { every } from './every.ts';

const log = createLogger({ name: 'every-test', level: 'silent' });

describe('every', () => {
  it('runs when it starts, for what was left over, and then when it is announced', async () => {
    let runs = 0;
    const job = every({ name: 'counting', run: async () => void (runs += 1), everyMs: hourMs, first: 'at once', log });
    job.announce(); // before the start: the start finds it
    expect(runs).toBe(0);
    await job.start();
    await eventually(() => runs === 1, { withinMs: 1_000 });
    job.announce();
    await eventually(() => runs === 2, { withinMs: 1_000 });
    await job.stop();
  });

  it('runs by itself every so often, after a failure too', async () => {
    let runs = 0;
    const run = async () => {
      runs += 1;
      throw new Error('a bad day');
    };
    const job = every({ name: 'failing', run, everyMs: 5, log });
    await job.start();
    await eventually(() => runs >= 3, { withinMs: 2_000 });
    await job.stop();
  });

  it('runs again for what is announced while it runs, once, and never two at a time', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let begun = 0;
    const run = async () => {
      begun += 1;
      await gates[begun - 1]?.promise;
    };
    const job = every({ name: 'gated', run, everyMs: hourMs, first: 'at once', log });
    await job.start();
    for (let times = 0; times < 5; times += 1) job.announce();
    expect(begun).toBe(1);
    gates[0]?.resolve();
    await eventually(() => begun === 2, { withinMs: 1_000 });
    gates[1]?.resolve();
    await job.stop();
    expect(begun).toBe(2);
  });

  it('ends only when its work has', async () => {
    const gate = Promise.withResolvers<void>();
    let isDone = false;
    const run = async () => {
      await gate.promise;
      isDone = true;
    };
    const job = every({ name: 'ending', run, everyMs: hourMs, first: 'at once', log });
    await job.start();
    const stopped = job.stop();
    gate.resolve();
    await stopped;
    expect(isDone).toBe(true);
    job.announce();
  });

  it('runs at once when that is asked for, started or not, and logs a failure', async () => {
    const lines: string[] = [];
    const noted = createLogger({
      name: 'every-test',
      level: 'warn',
      destination: { write: (line) => void lines.push(line) },
    });
    const run = () => Promise.reject(new Error('a bad day'));
    await every({ name: 'unstarted', run, everyMs: hourMs, log: noted }).runNow();
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { job: 'unstarted', err: { message: 'a bad day' }, msg: 'a job failed and runs again later' },
    ]);
  });

  it('begins with a pause unless it is to begin at once, and begins nothing after its stop', async () => {
    let runs = 0;
    const job = every({ name: 'pausing', run: async () => void (runs += 1), everyMs: 20, log });
    await job.start();
    expect(runs).toBe(0);
    await eventually(() => runs > 0, { withinMs: 1_000 });
    await job.stop();
    const known = runs;
    job.announce();
    await sleep(60);
    expect(runs).toBe(known);
    await job.runNow(); // unlike an announcement, it is carried out after the stop too
    expect(runs).toBe(known + 1);
  });
});
