import { askTemplate } from '../load/event-body.ts';
import { leadSeconds, refuseFailures, runPacedLoad } from '../load/paced-load.ts';
import { runWrk } from '../load/wrk.ts';
import { startCappedProduct, type CappedProduct } from '../products/capped.ts';
import { defineRow, type Row, type RowContext, type Side } from '../row.ts';
import { percentile } from '../statistics.ts';
import { echoSide, singles } from './ingest-side.ts';

interface GateSide extends Side {
  readonly product: CappedProduct;
}

/** G1's goal, of which G2 takes half. */
const asksPerSecond = 5_000;

const asks = `POST /v1/authorizations by accounts with a budget, standalone`;

/** Authorizations at full load, and the wait for one at half of it. Each is held for five seconds, and then settled. */
export const askRows: readonly Row[] = [
  defineRow<GateSide>({
    id: 'G1',
    ours: `answers per second of ${asks}, ${singles.connections} connections, load generator included`,
    ceiling: 'answers per second of a bare node:http echo of the same requests to the same client',
    unit: '/s',
    figure: 'value',
    isHigherBetter: true,
    goal: { of: 'figure', bound: { atLeast: asksPerSecond } },
    isComparable: true,
    openOurs: openAsks,
    openCeiling: openAskEcho,
  }),
  defineRow({
    id: 'G2',
    ours: `p99 of ${asks}, at ${asksPerSecond / 2} per second, open-loop load after its first second`,
    ceiling: undefined,
    unit: 'ms',
    figure: 'value',
    isHigherBetter: false,
    goal: { of: 'figure', bound: { atMost: 25 } },
    isComparable: false,
    openOurs: openPaced,
  }),
];

async function openAsks(context: RowContext): Promise<GateSide> {
  const product = await startCappedProduct(context);
  const { processes, close } = product;
  return { product, processes, measure: () => measureAsks(product, context), close };
}

async function measureAsks({ recordUrl, cappedKeys, toolId }: CappedProduct, { seconds }: RowContext) {
  const result = await runWrk(askLoad(`${recordUrl}/v1/authorizations`, { tokens: cappedKeys, toolId, seconds }));
  return { events: result.answers, value: result.answers / result.seconds };
}

function askLoad(
  url: string,
  sent: { readonly tokens: readonly string[]; readonly toolId: string; readonly seconds: number },
) {
  return { ...singles, ...sent, url, template: askTemplate(sent.toolId) };
}

function openAskEcho({ seconds }: RowContext, { product }: GateSide): Promise<Side> {
  const { cappedKeys: tokens, toolId } = product;
  return echoSide((origin) => askLoad(`${origin}/v1/authorizations`, { tokens, toolId, seconds }));
}

async function openPaced(context: RowContext): Promise<Side> {
  const side = await openAsks(context);
  const { recordUrl, cappedKeys: tokens, toolId } = side.product;
  await side.measure(); // warm
  const load = {
    url: `${recordUrl}/v1/authorizations`,
    tokens,
    toolId,
    perSecond: asksPerSecond / 2,
    seconds: context.seconds,
    leadSeconds,
  };
  return {
    ...side,
    async measure() {
      const result = await runPacedLoad({ ...load, template: askTemplate(toolId) });
      refuseFailures(result);
      return { events: result.statuses['201'] ?? 0, value: percentile(result.waitsMs, 0.99) };
    },
  };
}
