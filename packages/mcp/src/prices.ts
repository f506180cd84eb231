import { asObject } from './json-rpc.ts';

/** The `_meta` entry of a tool in `tools/list` that says what a call costs. */
export const priceMeta = 'tollgate/price';

export interface PriceOptions {
  readonly tool: (name: string) => string | undefined;
  /** The price of a tool as the catalogue has it; throws if it cannot be read. */
  readonly readPrice: (slug: string) => Promise<unknown>;
  /** How long a price that was read serves. Prices change on full hours. */
  readonly keepMs: number;
  readonly nowMs: () => number;
  readonly onError: (error: unknown) => void;
}

export type PriceTools = (result: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, unknown>>>;

/** Adds to each tool of a `tools/list` result its price. A price that cannot be read is left out: the list still serves. */
export function createPriceTools(options: PriceOptions): PriceTools {
  const known = new Map<string, { readonly price: Promise<unknown>; readonly untilMs: number }>();

  function priceOf(slug: string): Promise<unknown> {
    const kept = known.get(slug);
    if (kept !== undefined && kept.untilMs > options.nowMs()) return kept.price;
    const price = options.readPrice(slug).catch((error: unknown) => {
      known.delete(slug);
      options.onError(error);
      return undefined;
    });
    known.set(slug, { price, untilMs: options.nowMs() + options.keepMs });
    return price;
  }

  async function withPrice(tool: unknown): Promise<unknown> {
    const { name, _meta } = asObject(tool);
    const slug = typeof name === 'string' ? options.tool(name) : undefined;
    const price = slug === undefined ? undefined : await priceOf(slug);
    return price === undefined ? tool : { ...asObject(tool), _meta: { ...asObject(_meta), [priceMeta]: price } };
  }

  return async function priceTools(result) {
    const { tools } = result;
    return Array.isArray(tools) ? { ...result, tools: await Promise.all(tools.map(withPrice)) } : result;
  };
}
