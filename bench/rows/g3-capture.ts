import { setTimeout as sleep } from 'node:timers/promises';
import { captureTemplate } from '../load/event-body.ts';
import { runWrk } from '../load/wrk.ts';
import { askBooks, releaseBooks, startCappedProduct, type CappedProduct } from '../products/capped.ts';
import { untilCounted } from '../products/until-counted.ts';
import { defineRow, type Side } from '../row.ts';
import { ingestSide, singles } from './ingest-side.ts';

interface CaptureSide extends Side {
  readonly product: CappedProduct;
}

const settledMs = 1_500; // a settler looks each second

/** The cost of an event that captures a held call, with its settling, against that of an account without any cap. */
export const captureRow = defineRow<CaptureSide>({
  id: 'G3',
  ours: 'CPU per event that captures a call of an authorized book, from POST to counted and settled, standalone',
  ceiling: 'CPU per event of an account without any cap, from POST to counted, the same product',
  unit: 'µs',
  figure: 'cpu',
  isHigherBetter: false,
  goal: { of: 'ratio', bound: { atMost: 1.5 } },
  isComparable: false,
  async openOurs({ seconds, ...context }) {
    const product = await startCappedProduct({ ...context, seconds });
    let authorizations: string[] = [];
    return {
      product,
      processes: product.processes,
      async prepare() {
        await releaseBooks(product, authorizations);
        authorizations = await askBooks(product);
      },
      async measure() {
        const { recordUrl, cappedKeys: tokens, toolId } = product;
        const load = { ...singles, url: `${recordUrl}/v1/events`, tokens, toolId, seconds, authorizations };
        const result = await runWrk({ ...load, template: captureTemplate(toolId) });
        await untilCounted(product);
        await sleep(settledMs);
        return { events: result.answers, value: result.answers / result.seconds };
      },
      close: product.close,
    };
  },
  async openCeiling({ seconds }, { product }) {
    const unlimited = { ...product, keys: product.freeKeys };
    return { ...ingestSide(unlimited, { ...singles, seconds }), close: async () => undefined };
  },
});
