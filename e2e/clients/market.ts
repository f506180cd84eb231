import { randomUUID } from 'node:crypto';
import { Tollgate } from '@tollgate/sdk';
import { eventually } from '@tollgate/testkit/eventually';

/** A builder with a tool at one cent per call, and a consumer with a pass for it. */
export interface Market {
  readonly builder: Tollgate;
  readonly consumer: Tollgate;
  readonly slug: string;
  readonly passId: string;
  readonly pass: string;
  /** Waits until the consumer's calls of the tool are these. */
  untilCounted(calls: { readonly successes: number; readonly failures: number }): Promise<void>;
}

export async function openMarket(url: string): Promise<Market> {
  const anybody = new Tollgate({ url });
  const account = async () => {
    const credentials = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' };
    return anybody.with({ apiKey: (await anybody.auth.register(credentials)).access_token });
  };
  const [builder, consumer] = [await account(), await account()];
  const slug = `tool-${randomUUID()}`;
  await builder.tools.create({ slug, name: 'Weather', price: { per_call_usd: '0.01' } });
  const { id: passId, key: pass } = await consumer.passes.create({ name: 'agent', tools: [slug] });
  return {
    builder,
    consumer,
    slug,
    passId,
    pass,
    async untilCounted({ successes, failures }) {
      const isCounted = async () => {
        const { totals } = await consumer.usage.get();
        return totals.successes === successes && totals.failures === failures;
      };
      await eventually(isCounted, { withinMs: 10_000 });
    },
  };
}

/** A market whose tool is paid by the tokens that the event of a call says. */
export async function openTokenMarket(url: string, usdPerToken: number): Promise<Market> {
  const market = await openMarket(url);
  const slug = `stream-${randomUUID()}`;
  const metric = { type: 'metadata_sum', key: 'tokens' } as const;
  const model = { type: 'per_unit', unit_price_usd: String(usdPerToken) } as const;
  await market.builder.tools.create({
    slug,
    name: 'Answers',
    price: { currency: 'usd', charges: [{ metric, model }] },
  });
  await market.consumer.passes.update(market.passId, { tools: [slug], cap: { amount_usd: 10, window: 'month' } });
  return { ...market, slug };
}
