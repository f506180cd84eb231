import type { Call } from './calls.ts';

export interface Batch {
  readonly consumer: number;
  /** Of the consumer's batch before, sent once more. */
  readonly repeats: readonly Call[];
  readonly calls: readonly Call[];
}

const repeatEvery = 20;
const callsMax = 476; // and the repeats of as many: 500

/**
 * Each consumer's calls in batches of at most 500, each with repeats of the one before (5 %). All batches are in the order
 * of their last calls, so that the clock can follow them; those with nothing but the last repeats come at the end.
 */
export function planBatches(calls: readonly Call[]): Batch[] {
  const byConsumer = Map.groupBy(calls, ({ consumer }) => consumer);
  const batches = [...byConsumer].flatMap(([consumer, own]) =>
    batchesOf(own, { consumer, firstLength: Math.ceil((callsMax * (consumer + 1)) / byConsumer.size) }),
  );
  const [withCalls, repeatsOnly] = [batches.filter(hasCalls), batches.filter((batch) => !hasCalls(batch))];
  return [
    ...withCalls.toSorted((left, right) =>
      lastTime(left) < lastTime(right) ? -1 : Number(lastTime(left) > lastTime(right)),
    ),
    ...repeatsOnly,
  ];
}

/** When the last call of a batch was; where it has none but repeats, the last of these. */
export function lastTime({ calls, repeats }: Batch): string {
  return (calls.at(-1) ?? repeats.at(-1))?.timestamp ?? '';
}

interface Cut {
  readonly consumer: number;
  /** Another for each consumer: they take turns, and the clock does not stand where all of them fill a batch at once. */
  readonly firstLength: number;
}

function batchesOf(calls: readonly Call[], { consumer, firstLength }: Cut): Batch[] {
  const slices = [calls.slice(0, firstLength)];
  for (let from = firstLength; from < calls.length; from += callsMax) slices.push(calls.slice(from, from + callsMax));
  const repeated = new Set(calls.filter((_, at) => at % repeatEvery === 0));
  const repeatsAfter = (at: number) => (slices[at - 1] ?? []).filter((call) => repeated.has(call));
  const batches = [...slices, []].map((slice, at) => ({ consumer, repeats: repeatsAfter(at), calls: slice }));
  return batches.filter(({ repeats, calls: own }) => repeats.length + own.length > 0);
}

function hasCalls({ calls }: Batch): boolean {
  return calls.length > 0;
}
