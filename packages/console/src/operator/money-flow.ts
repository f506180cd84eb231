import type { Stream } from '../charts/flow.tsx';
import { formatUsd } from '../patterns/format-usd.ts';
import type { OperatorSchemas } from './operator-api.ts';

type Path = OperatorSchemas['MoneyPath'];

interface Station {
  readonly name: string;
  readonly usd: number;
  readonly says: string;
}

const names = {
  owedBefore: 'Owed before',
  charged: 'Charged',
  invoices: 'Invoices',
  paid: 'Paid',
  writtenOff: 'Written off',
  owedAfter: 'Still owed',
  fees: 'Platform fees',
  payableBefore: 'Payable before',
  builders: 'Builders',
  paidOut: 'Paid out',
  takenBack: 'Taken back',
  payableAfter: 'Still payable',
} as const;

/** The stations of a month’s money. Every sum is the ledger’s. */
export function stationsOf(path: Path): Station[] {
  return [
    { name: names.owedBefore, usd: path.owed_before_usd, says: 'By consumers, at the end of the month before.' },
    { name: names.charged, usd: path.charged_usd, says: 'The lines of the invoices of this month.' },
    { name: names.paid, usd: path.paid_usd, says: 'For invoices of any month.' },
    { name: 'Paid by card', usd: path.paid_by_card_usd, says: 'The part of it that charges brought in.' },
    { name: 'Paid by balance', usd: path.paid_by_balance_usd, says: 'The part of it that balances paid.' },
    {
      name: names.writtenOff,
      usd: path.written_off_usd,
      says: 'Voided or uncollectible, less what was paid after all.',
    },
    { name: names.owedAfter, usd: path.owed_after_usd, says: 'By consumers, at the end of the month or now.' },
    { name: names.fees, usd: path.platform_fees_usd, says: 'On the charges that were paid.' },
    { name: 'Earned by builders', usd: path.earnings_usd, says: 'The rest of these charges.' },
    { name: names.payableBefore, usd: path.payable_before_usd, says: 'To builders, at the end of the month before.' },
    { name: names.paidOut, usd: path.paid_out_usd, says: 'Transferred to builders, less what came back.' },
    { name: names.takenBack, usd: path.taken_back_usd, says: 'From builders, for refunds and their share of fees.' },
    { name: names.payableAfter, usd: path.payable_after_usd, says: 'To builders, at the end of the month or now.' },
  ];
}

/** The streams between the stations, as far as there is money in them. */
export function streamsOf(path: Path): Stream[] {
  return [
    { from: names.owedBefore, to: names.invoices, width: path.owed_before_usd },
    { from: names.charged, to: names.invoices, width: path.charged_usd },
    { from: names.invoices, to: names.paid, width: path.paid_usd },
    { from: names.invoices, to: names.writtenOff, width: path.written_off_usd },
    { from: names.invoices, to: names.owedAfter, width: path.owed_after_usd },
    { from: names.paid, to: names.fees, width: path.platform_fees_usd },
    { from: names.paid, to: names.builders, width: path.earnings_usd },
    { from: names.payableBefore, to: names.builders, width: path.payable_before_usd },
    { from: names.builders, to: names.paidOut, width: path.paid_out_usd },
    { from: names.builders, to: names.takenBack, width: path.taken_back_usd },
    { from: names.builders, to: names.payableAfter, width: path.payable_after_usd },
  ].filter(({ width }) => width > 0);
}

/** The sums as the flow shows them. */
export function saidOf(path: Path): Record<string, string> {
  return Object.fromEntries(stationsOf(path).map(({ name, usd }) => [name, formatUsd(usd)]));
}
