import { zeroMicros, type Micros } from '@tollgate/kernel/money';
import { periodOf } from '@tollgate/kernel/period';
import { boundPrice } from '@tollgate/pricing/bound-price';
import { pricesBetween, type Tool } from '../../tools/tool.ts';
import type { Quantities } from '../authorizations/hold.ts';

/** A call that is to be paid for, as far as it is known. */
export interface BoundedCall {
  readonly consumerId: string;
  readonly max: Quantities;
  readonly success: boolean;
  /** The call happens between these moments, both included. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** The most that a call can come to, under each price version that it can fall under. The builder's own calls are free. */
export function boundCall(tool: Tool, { consumerId, max, success, fromMs, toMs }: BoundedCall): Micros {
  if (tool.ownerId === consumerId) return zeroMicros;
  const usage = {
    period: periodOf(fromMs),
    consumerId,
    priceId: '',
    success,
    calls: 1n,
    durationMs: BigInt(max.durationMs),
    measures: new Map(Object.entries(max.measures)),
  };
  return pricesBetween(tool, { fromMs, toMs })
    .map(({ price }) => boundPrice(price, usage))
    .reduce((most, bound) => (bound > most ? bound : most), zeroMicros);
}
