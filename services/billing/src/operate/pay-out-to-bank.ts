import { AppError } from '@tollgate/kernel/app-error';
import type { OwnPayout } from '../processor/processor.ts';
import type { OwnPayoutOrder, SandboxBank } from '../processor/sandbox/sandbox-bank.ts';

/** Pays the platform's balance at the sandbox out to its bank, as its owner would at Stripe. Throws `balance_too_small`. */
export function createPayOutToBank({ bank }: { readonly bank: SandboxBank }) {
  return async function payOutToBank(order: OwnPayoutOrder): Promise<OwnPayout> {
    const payout = await bank.payOut(order);
    if (payout) return payout;
    const errors = [{ pointer: '/amount_usd', code: 'too_large', message: 'must be at most the balance' }];
    throw new AppError('balance_too_small', 'The balance at the processor is less than that.', { errors });
  };
}

export type PayOutToBank = ReturnType<typeof createPayOutToBank>;
