import { benchBatches } from './r2-batches.ts';
import { benchClose } from './r10-close.ts';
import { benchSharedLimit } from './r1-redis.ts';
import { benchSingleEvents } from './r1-single-events.ts';
import { benchStore } from './r4-store.ts';
import { benchVisible } from './r7-visible.ts';

const benchmarks: Readonly<Record<string, (argument?: string) => Promise<void>>> = {
  R1: benchSingleEvents,
  'R1-redis': benchSharedLimit,
  R2: benchBatches,
  R4: benchStore,
  R7: benchVisible,
  R10: benchClose,
};

// What to measure; `R10=1000000` hands an argument over.
const wanted = new Map(
  process.argv
    .slice(2)
    .map((word) => word.split('=', 2))
    .map(([id = '', argument]) => [id, argument]),
);
const unknown = [...wanted.keys()].filter((id) => !(id in benchmarks));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no benchmark ${unknown.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}.\n`,
  );
  process.exitCode = 2;
} else {
  for (const [id, run] of Object.entries(benchmarks)) {
    if (wanted.size === 0 || wanted.has(id)) await run(wanted.get(id));
  }
}
