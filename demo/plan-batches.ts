import type { Call } from './calls.ts';

export interface Batch {
  readonly consumer: number;
  /** Calls of the consumer's previous batch, sent again. */
  readonly repeats: readonly Call[];
  readonly calls: readonly Call[];
}

const repeatEvery = 20;
const callsMax = 476; // with 5 % repeats: 500

/**
 * Plans batches of at most 500 calls per consumer, each with repeats of 5 % of the previous batch. The batches are in the
 * order of their last calls, so that the clock can follow them. Batches of repeats alone come at the end.
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

/** The time of a batch's last call, or of its last repeat if it has no other calls. */
export function lastTime({ calls, repeats }: Batch): string {
  return (calls.at(-1) ?? repeats.at(-1))?.timestamp ?? '';
}

interface Cut {
  readonly consumer: number;
  /** Differs per consumer, so that the consumers do not all fill a batch at the same time. */
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
