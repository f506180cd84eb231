import { readFileSync } from 'node:fs';

/** A row of the trace: a call of one consumer. */
export interface Call {
  readonly consumer: number;
  readonly toolId: string;
  readonly idempotencyKey: string;
  /** The trace's own text, precise to 100 ns. */
  readonly timestamp: string;
  readonly contextTokens: number;
  readonly generatedTokens: number;
}

const files = [
  { name: 'code', toolId: 'code' },
  { name: 'conv', toolId: 'conversation' },
];

/** Reads the hour of both files in time order. The row at position i of a file belongs to consumer i mod `consumers`. */
export function readCalls(consumers: number): Call[] {
  const calls = files.flatMap(({ name, toolId }) =>
    readRows(name).map((row, position): Call => {
      const [time = '', contextTokens, generatedTokens] = row.split(',');
      return {
        consumer: position % consumers,
        toolId,
        idempotencyKey: `${name}-${position}`,
        timestamp: `${time.replace(' ', 'T')}Z`,
        contextTokens: Number(contextTokens),
        generatedTokens: Number(generatedTokens),
      };
    }),
  );
  // The texts have one length, so they sort as times do.
  return calls.toSorted((left, right) =>
    left.timestamp < right.timestamp ? -1 : Number(left.timestamp > right.timestamp),
  );
}

function readRows(name: string): string[] {
  const file = new URL(`../examples/azure-llm-2023/${name}.csv`, import.meta.url);
  return readFileSync(file, 'utf8').trim().split('\n').slice(1);
}
