import { benchStore } from './r4-store.ts';

const benchmarks: Readonly<Record<string, () => Promise<void>>> = { R4: benchStore };

const wanted = process.argv.slice(2);
const unknown = wanted.filter((id) => !(id in benchmarks));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}.`);
  process.exitCode = 2;
} else {
  for (const [id, run] of Object.entries(benchmarks)) {
    if (wanted.length === 0 || wanted.includes(id)) await run();
  }
}
