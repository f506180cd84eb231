import { benchBatches } from './r2-batches.ts';
import { benchSingleEvents } from './r1-single-events.ts';
import { benchStore } from './r4-store.ts';
import { benchVisible } from './r7-visible.ts';

const benchmarks: Readonly<Record<string, () => Promise<void>>> = {
  R1: benchSingleEvents,
  R2: benchBatches,
  R4: benchStore,
  R7: benchVisible,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((id) => !(id in benchmarks));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no benchmark ${unknown.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}.\n`,
  );
  process.exitCode = 2;
} else {
  for (const [id, run] of Object.entries(benchmarks)) {
    if (wanted.length === 0 || wanted.includes(id)) await run();
  }
}
