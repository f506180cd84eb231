import { asObject } from './json-rpc.ts';
import { within } from './within.ts';

/** The `_meta` entry of a tool in `tools/list` that says what a call costs. */
export const priceMeta = 'tollgate/price';

export interface PriceOptions {
  readonly tool: (name: string) => string | undefined;
  /** The price of a tool as the catalogue has it; throws if it cannot be read. */
  readonly readPrice: (slug: string) => Promise<unknown>;
  /** How long a price that was read serves. Prices change on full hours. */
  readonly keepMs: number;
  /** So long a list waits for a price that was just asked for. */
  readonly waitMs: number;
  readonly nowMs: () => number;
  readonly onError: (error: unknown) => void;
}

export type PriceTools = (result: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, unknown>>>;

interface Known {
  price: unknown;
  /** When the price is asked for again. */
  untilMs: number;
  /** Resolves when the question that is out is answered, or no longer worth waiting for. */
  asked: Promise<unknown>;
}

/**
 * Adds to each tool of a `tools/list` result its price. A list waits at most once for a Tollgate that hangs: later ones
 * have the price that was read last, or none, and get the next one when it comes.
 */
export function createPriceTools(options: PriceOptions): PriceTools {
  const { tool: slugOf, readPrice, keepMs, waitMs, nowMs, onError } = options;
  const known = new Map<string, Known>();

  async function ask(slug: string, entry: Known): Promise<void> {
    entry.untilMs = Number.POSITIVE_INFINITY; // one question at a time
    try {
      entry.price = await readPrice(slug);
      entry.untilMs = nowMs() + keepMs;
    } catch (error) {
      entry.untilMs = nowMs() + waitMs; // else each list of an outage would wait
      onError(error);
    }
  }

  async function priceOf(slug: string): Promise<unknown> {
    const entry: Known = known.get(slug) ?? { price: undefined, untilMs: 0, asked: Promise.resolve() };
    known.set(slug, entry);
    if (entry.untilMs <= nowMs()) entry.asked = within(ask(slug, entry), waitMs);
    await entry.asked;
    return entry.price;
  }

  async function withPrice(tool: unknown): Promise<unknown> {
    const { name, _meta } = asObject(tool);
    const slug = typeof name === 'string' ? slugOf(name) : undefined;
    const price = slug === undefined ? undefined : await priceOf(slug);
    return price === undefined ? tool : { ...asObject(tool), _meta: { ...asObject(_meta), [priceMeta]: price } };
  }

  return async function priceTools(result) {
    const { tools } = result;
    return Array.isArray(tools) ? { ...result, tools: await Promise.all(tools.map(withPrice)) } : result;
  };
}
