import type { InvoiceSummary } from '@tollgate/contracts/money/invoices';
import type { OperatorPayout } from '@tollgate/contracts/money/payouts';

/** The words that `--status` takes per list. The compiler sees that none of the contracts' is missing. */
export const listStatuses = {
  accounts: wordsOf<'active' | 'suspended'>({ active: true, suspended: true }),
  invoices: wordsOf<InvoiceSummary['status']>({
    open: true,
    paid: true,
    carried: true,
    past_due: true,
    uncollectible: true,
    void: true,
  }),
  // A pending payout is computed per account and not stored.
  payouts: wordsOf<Exclude<OperatorPayout['status'], 'pending'>>({ scheduled: true, paid: true, failed: true }),
};

function wordsOf<Word extends string>(words: Readonly<Record<Word, true>>): readonly Word[] {
  return Object.keys(words) as Word[]; // the keys of a record of words are the words
}
