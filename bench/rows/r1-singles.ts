import { startStandaloneProduct } from '../products/standalone.ts';
import { defineRow } from '../row.ts';
import { echoText, ingestSide, openEcho, runOf, singles } from './ingest-side.ts';

/** Answers to single events, all checks and a durable append before each, against a bare echo of the same bodies. */
export const singlesRow = defineRow({
  id: 'R1',
  run: runOf('standalone', singles),
  ours: `answers per second of POST /v1/events with key and timestamp, standalone, ${singles.connections} connections, 400 API keys, fsync on`,
  ceiling: echoText,
  unit: '/s',
  figure: 'value',
  isHigherBetter: true,
  goal: { of: 'ratio', bound: { atLeast: 0.6 } },
  isComparable: true,
  openOurs: async (context) =>
    ingestSide(await startStandaloneProduct(context), { ...singles, seconds: context.seconds }),
  openCeiling: openEcho,
});
