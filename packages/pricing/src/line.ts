import type { Micros } from '@tollgate/kernel/money';

/** What one charge of one price version came to for one consumer in one period. */
export interface Line {
  readonly period: string;
  readonly consumerId: string;
  readonly builderId: string;
  readonly toolId: string;
  readonly priceId: string;
  /** The place of the charge in its price, from 0. */
  readonly chargeIndex: number;
  readonly name: string | null;
  /** All that is billable, the free quantity included; a plain decimal. */
  readonly quantity: string;
  /** 'calls', 'ms' or the metadata key that is summed. */
  readonly unit: string;
  readonly chargeMicros: Micros;
}
