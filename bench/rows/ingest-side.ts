import { runWrk, type WrkLoad, type WrkResult } from '../load/wrk.ts';
import { startEcho } from '../products/echo.ts';
import type { Product } from '../products/product.ts';
import { untilCounted } from '../products/until-counted.ts';
import type { Measurement, RowContext, Side } from '../row.ts';

export interface IngestLoad {
  readonly batchEvents: number;
  readonly connections: number;
}

export const singles: IngestLoad = { batchEvents: 1, connections: 128 };
export const batches: IngestLoad = { batchEvents: 100, connections: 16 };

/** A product under closed-loop load, with what the rows ask of it. */
export interface IngestSide extends Side {
  readonly product: Product;
}

export interface IngestOptions extends IngestLoad {
  readonly seconds: number;
}

/** Each round loads the product, then waits until all is counted, so that CPU holds the whole way of each event. */
export function ingestSide(product: Product, options: IngestOptions): IngestSide {
  async function measure(): Promise<Measurement> {
    const before = await untilCounted(product);
    const result = await load(product, options);
    const after = await untilCounted(product);
    const events = Number(after.counted - before.counted);
    const answered = result.answers * options.batchEvents;
    if (events < answered) throw new Error(`${answered} events were acknowledged, and ${events} counted`);
    return { events, value: answered / result.seconds };
  }

  const { processes, close } = product;
  return { product, processes, measure, close };
}

/** The run of all rows that put this load on this shape, beside the echo. */
export function runOf(shape: 'standalone' | 'distributed', { batchEvents }: IngestLoad): string {
  return `${shape}, ${batchEvents} per request, echo`;
}

function load({ recordUrl, keys, toolId }: Product, options: IngestOptions): Promise<WrkResult> {
  const path = options.batchEvents === 1 ? '/v1/events' : '/v1/events/batch';
  return runWrk({ ...options, url: recordUrl + path, tokens: keys, toolId });
}

/** A bare node:http echo that gets the very same single events from the same client; its figure is answers per second. */
export function openEcho({ seconds }: RowContext, { product }: IngestSide): Promise<Side> {
  const { keys: tokens, toolId } = product;
  return echoSide((origin) => ({ ...singles, url: `${origin}/v1/events`, tokens, toolId, seconds }));
}

/** A bare node:http echo under the load that `loadAt` gives for its origin; its figure is answers per second. */
export async function echoSide(loadAt: (origin: string) => WrkLoad): Promise<Side> {
  const echo = await startEcho();
  return {
    processes: echo.processes,
    async measure() {
      const result = await runWrk(loadAt(echo.url));
      return { events: result.answers, value: result.answers / result.seconds };
    },
    close: echo.close,
  };
}

export const echoText = 'answers per second of a bare node:http echo of the same single events to the same client';
