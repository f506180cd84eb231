import { expect } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { keepFaultRun } from '@tollgate/testkit/faults/keep-fault-run';
import { inTurn } from '@tollgate/testkit/in-turn';
import { describeWithKafkaAndRedis } from '@tollgate/testkit/kafka-and-redis';
import { isLongLane } from '@tollgate/testkit/lane';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { buildStandalone } from '@tollgate/testkit/standalone-process';
import { itWith, openFolder } from '../it-with.ts';
import { describeStorm } from './describe-storm.ts';
import { runStorm } from './run-storm.ts';

/** Minutes in the long lane, otherwise seconds; `pnpm soak` takes hours. */
const size = isLongLane ? { name: 'minutes', minutes: 2 } : { name: 'seconds', minutes: 0.3 };
const eventsPerSecond = 500;
const describeWithBoth = await describeWithKafkaAndRedis();
const log = createLogger({ name: 'storm', level: 'silent' });

describeWithBoth(
  'the distributed shape',
  inTurn(() => {
    const it = itWith(async (undo) => {
      await buildStandalone();
      return openFolder('storm', undo);
    });

    it(
      `F01 F07 F12 F13 F14 F15 F16 F17 F20 F24 F27 F34 F35 F38 F49 counts everything once through ${size.name} of faults at random`,
      async (folder) => {
        const random = seededRandom('storm');
        const say = (line: string) => void process.stderr.write(`storm: ${line}\n`);
        const until = { minutes: size.minutes, events: 1_000 };
        const report = await runStorm({ folder, random, until, eventsPerSecond, say, log });
        say(describeStorm(random.seed, report));
        const { faults, violations, ...figures } = report;
        if (process.env['KEEP_FAULTS']) keepFaultRun({ size: size.name, seed: random.seed, faults, ...figures });
        expect(violations).toEqual([]);
        expect(figures).toMatchObject({ lost: 0, doubled: 0, invented: 0 });
        expect(figures.counted).toBeGreaterThan(1_000);
        expect(faults.length).toBeGreaterThan(0);
      },
      (size.minutes + 10) * 60_000,
    );
  }),
);
