import { micros, sumMicros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import type { LedgerAccountKind } from '../ledger/ledger-posting.ts';

type Balances = ReadonlyMap<LedgerAccountKind, Micros>;

/** The entries of a month in one kind of ledger account, by the kind of their posting. */
export interface PostingSum {
  /** The first word of the business key, such as `close` or `paid`. */
  readonly posting: string;
  readonly kind: LedgerAccountKind;
  /** A debit above zero, a credit below. */
  readonly amountMicros: Micros;
}

export interface MoneyPathFacts {
  /** The balances at the end of the month before. */
  readonly before: Balances;
  /** The balances at the end of the month. */
  readonly after: Balances;
  readonly sums: readonly PostingSum[];
}

/** The way of a month's money. Each is above zero where the money goes its usual way. */
export interface MoneyPathSums {
  readonly owedBefore: Micros;
  readonly charged: Micros;
  readonly paid: Micros;
  readonly paidByCard: Micros;
  readonly paidByBalance: Micros;
  readonly writtenOff: Micros;
  readonly owedAfter: Micros;
  readonly platformFees: Micros;
  readonly earnings: Micros;
  readonly payableBefore: Micros;
  readonly paidOut: Micros;
  readonly takenBack: Micros;
  readonly payableAfter: Micros;
}

/** Builders are owed what is payable, and what is on its way to them. */
const ofBuilders: readonly LedgerAccountKind[] = ['builder_payable', 'in_transit'];

/**
 * Receivables are moved by closes, payments and write-offs alone, and what builders are owed by payments, payouts, refunds and
 * fee shares alone (`sql-posting-checks.ts` has each kind of posting). So both paths add up without a rest.
 */
export function planMoneyPath({ before, after, sums }: MoneyPathFacts): MoneyPathSums {
  const debits = (kinds: readonly LedgerAccountKind[], ...postings: readonly string[]) =>
    sumMicros(
      sums
        .filter(({ posting, kind }) => kinds.includes(kind) && postings.includes(posting))
        .map(({ amountMicros }) => amountMicros),
    );
  const credits = (kinds: readonly LedgerAccountKind[], ...postings: readonly string[]) =>
    less(zeroMicros, debits(kinds, ...postings));
  const paidByCard = credits(['receivable'], 'paid');
  const paidByBalance = credits(['receivable'], 'balance-paid', 'balance-returned');
  return {
    owedBefore: balanceOf(before, ['receivable']),
    charged: debits(['receivable'], 'close'),
    paid: sumMicros([paidByCard, paidByBalance]),
    paidByCard,
    paidByBalance,
    writtenOff: credits(['receivable'], 'written-off', 'restored'),
    owedAfter: balanceOf(after, ['receivable']),
    platformFees: credits(['platform_fees'], 'paid'),
    earnings: credits(ofBuilders, 'paid'),
    payableBefore: less(zeroMicros, balanceOf(before, ofBuilders)),
    paidOut: debits(ofBuilders, 'payout'),
    takenBack: debits(ofBuilders, 'refund', 'fee-share'),
    payableAfter: less(zeroMicros, balanceOf(after, ofBuilders)),
  };
}

function balanceOf(balances: Balances, kinds: readonly LedgerAccountKind[]): Micros {
  return sumMicros(kinds.map((kind) => balances.get(kind) ?? zeroMicros));
}

function less(from: Micros, amount: Micros): Micros {
  return micros(from - amount);
}
