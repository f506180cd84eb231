import { eventually } from '@tollgate/testkit/eventually';
import type { Market } from './market.ts';

/** Returns the money that is held on the cap of the market's pass. */
export async function heldUsd({ consumer, passId }: Market): Promise<number | null> {
  return (await consumer.passes.get(passId)).held_usd;
}

/** Waits for a release: by itself a hold of the clients lasts for an hour. */
export async function untilFree(market: Market): Promise<void> {
  await eventually(async () => (await heldUsd(market)) === 0, { withinMs: 10_000 });
}
