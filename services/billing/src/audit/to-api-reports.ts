import { toIso } from '@tollgate/kernel/clock';
import { micros, sumMicros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import type { LedgerAccountKind } from '../ledger/ledger-posting.ts';
import type { FeeEntry, FeeSum, RevenueEntry, RevenueKind } from './sql-sum-ledger.ts';

const kinds: readonly LedgerAccountKind[] = [
  'receivable',
  'consumer_balance',
  'refund_in_transit',
  'part_paid',
  'builder_earned',
  'builder_payable',
  'in_transit',
  'platform_fees',
  'cash',
  'bank',
  'disputed',
  'processor_fees',
  'promotions',
  'rounding',
];

interface TrialBalanceOf {
  /** The last month whose postings count. Undefined: all count. */
  readonly period: string | undefined;
  readonly asOfMs: number;
}

export function toApiTrialBalance(
  balances: ReadonlyMap<LedgerAccountKind, Micros>,
  { period, asOfMs }: TrialBalanceOf,
) {
  const sums = kinds.map((account) => {
    const balance = balances.get(account) ?? zeroMicros;
    return { account, debit: balance > 0n ? balance : zeroMicros, credit: micros(balance < 0n ? 0n - balance : 0n) };
  });
  return {
    as_of: toIso(asOfMs),
    period: period ?? null,
    currency: 'usd',
    accounts: sums.map(({ account, debit, credit }) => ({ account, ...toApiSides(debit, credit) })),
    ...toApiSides(sumMicros(sums.map(({ debit }) => debit)), sumMicros(sums.map(({ credit }) => credit))),
  };
}

function toApiSides(debit: Micros, credit: Micros) {
  return { debit_usd: toUsdNumber(debit), credit_usd: toUsdNumber(credit) };
}

export function toApiRevenue(entries: readonly RevenueEntry[]) {
  const months = [...Map.groupBy(entries, ({ period }) => period)].map(([period, ofMonth]) => {
    const debits = (kind: RevenueKind) =>
      sumMicros(ofMonth.filter((entry) => entry.kind === kind).map(({ amountMicros }) => amountMicros));
    return {
      period,
      fees_usd: toUsdNumber(micros(0n - debits('platform_fees'))),
      processor_fees_usd: toUsdNumber(debits('processor_fees')),
      promotions_usd: toUsdNumber(debits('promotions')),
      rounding_usd: toUsdNumber(micros(0n - debits('rounding'))),
      net_usd: toUsdNumber(micros(0n - sumMicros(ofMonth.map(({ amountMicros }) => amountMicros)))),
    };
  });
  return { currency: 'usd', months };
}

export function toApiFees(entries: readonly FeeEntry[]) {
  const months = [...Map.groupBy(entries, ({ period }) => period)].map(([period, ofMonth]) => {
    const debits = (wanted: FeeSum) =>
      sumMicros(ofMonth.filter(({ of }) => of === wanted).map(({ amountMicros }) => amountMicros));
    const credits = (wanted: FeeSum) => micros(0n - debits(wanted));
    const costs = sumMicros([
      debits('charge_fees'),
      debits('dispute_fees'),
      debits('refund_fees'),
      debits('borne_by_builders'),
    ]);
    return {
      period,
      collected_usd: toUsdNumber(debits('collected')),
      platform_fees_usd: toUsdNumber(credits('platform_fees')),
      charge_fees_usd: toUsdNumber(debits('charge_fees')),
      dispute_fees_usd: toUsdNumber(debits('dispute_fees')),
      refund_fees_usd: toUsdNumber(debits('refund_fees')),
      borne_by_builders_usd: toUsdNumber(credits('borne_by_builders')),
      margin_usd: toUsdNumber(micros(credits('platform_fees') - costs)),
    };
  });
  return { currency: 'usd', months };
}
