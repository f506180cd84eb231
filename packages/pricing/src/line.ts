import type { Micros } from '@tollgate/kernel/money';

/** The money of one charge of a price version, for one consumer in one period. */
export interface Line {
  readonly period: string;
  readonly consumerId: string;
  readonly builderId: string;
  readonly toolId: string;
  readonly priceId: string;
  /** The place of the charge in its price, from 0. */
  readonly chargeIndex: number;
  readonly name: string | null;
  /** The billable quantity, including the free quantity; a plain decimal. */
  readonly quantity: string;
  /** 'calls', 'ms' or the metadata key that is summed. */
  readonly unit: string;
  readonly chargeMicros: Micros;
}
