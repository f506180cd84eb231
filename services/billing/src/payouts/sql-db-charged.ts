import { micros } from '@tollgate/kernel/money';
import type { Charged, EarnedBy } from './earned.ts';

export interface DbCharged {
  readonly earned_by: EarnedBy;
  readonly period: string;
  readonly tool_id: string;
  readonly price_id: string;
  readonly charge_index: number;
  readonly name: string | null;
  readonly charge_micros: string;
}

export function fromDbCharged(row: DbCharged): Charged {
  return {
    by: row.earned_by,
    period: row.period,
    toolId: row.tool_id,
    priceId: row.price_id,
    chargeIndex: row.charge_index,
    name: row.name,
    chargeMicros: micros(BigInt(row.charge_micros)),
  };
}
