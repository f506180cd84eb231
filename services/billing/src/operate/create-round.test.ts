import { hourMs } from '@tollgate/kernel/durations';
import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from '@tollgate/testkit/eventually';
import { createRound } from './create-round.ts';

const log = createLogger({ name: 'round-test', level: 'silent' });

describe('a round', () => {
  it('runs when it starts, for what was left over, and then when it is announced', async () => {
    let runs = 0;
    const round = createRound({ name: 'counting', run: async () => void (runs += 1), everyMs: hourMs, log });
    round.announce(); // before the start: the start finds it
    expect(runs).toBe(0);
    await round.start();
    await eventually(() => runs === 1, { withinMs: 1_000 });
    round.announce();
    await eventually(() => runs === 2, { withinMs: 1_000 });
    await round.stop();
  });

  it('runs by itself every so often, after a failure too', async () => {
    let runs = 0;
    const run = async () => {
      runs += 1;
      throw new Error('a bad day');
    };
    const round = createRound({ name: 'failing', run, everyMs: 5, log });
    await round.start();
    await eventually(() => runs >= 3, { withinMs: 2_000 });
    await round.stop();
  });

  it('runs again for what is announced while it runs, once, and never two at a time', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let begun = 0;
    const run = async () => {
      begun += 1;
      await gates[begun - 1]?.promise;
    };
    const round = createRound({ name: 'gated', run, everyMs: hourMs, log });
    await round.start();
    for (let times = 0; times < 5; times += 1) round.announce();
    expect(begun).toBe(1);
    gates[0]?.resolve();
    await eventually(() => begun === 2, { withinMs: 1_000 });
    gates[1]?.resolve();
    await round.stop();
    expect(begun).toBe(2);
  });

  it('ends only when its work has', async () => {
    const gate = Promise.withResolvers<void>();
    let isDone = false;
    const run = async () => {
      await gate.promise;
      isDone = true;
    };
    const round = createRound({ name: 'ending', run, everyMs: hourMs, log });
    await round.start();
    const stopped = round.stop();
    gate.resolve();
    await stopped;
    expect(isDone).toBe(true);
    round.announce();
  });
});
