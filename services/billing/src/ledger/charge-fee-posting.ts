import type { LedgerPosting } from './ledger-posting.ts';
import { moveCents } from './move-cents.ts';

export interface ChargedMoney {
  readonly attemptId: string;
  readonly cents: bigint;
  readonly occurredAtMs: number;
}

/** The fee that the processor kept of a charge: processor_fees → cash. */
export function chargeFeePosting({ attemptId, ...money }: ChargedMoney): LedgerPosting {
  const accounts = { debit: { kind: 'processor_fees' }, credit: { kind: 'cash' } } as const;
  return moveCents({ ...money, businessKey: `charge-fee:${attemptId}`, ...accounts });
}
