import { z } from 'zod';
import { periodSchema } from '../forms/period.ts';
import type { Route } from '../routes/route.ts';

const usd = (description: string) => z.number().meta({ description: `${description} Up to six decimals.` });

export const moneyPathQuerySchema = z.object({ period: periodSchema });

const moneyPathSchema = z
  .object({
    period: periodSchema.meta({
      description: 'The accounting period of the postings: invoices are of the month of their calls.',
    }),
    owed_before_usd: usd('Owed by consumers before the month.'),
    charged_usd: usd('The lines of the invoices of the month.'),
    paid_usd: usd('Paid for invoices: by card and by balance.'),
    paid_by_card_usd: usd('The part of it that charges brought in.'),
    paid_by_balance_usd: usd('The part of it that balances paid, less what they got back.'),
    written_off_usd: usd('Invoices that nobody pays, less those that were paid after all.'),
    owed_after_usd: usd(
      'Owed by consumers after the month. It is `owed_before_usd` and `charged_usd`, less `paid_usd` and `written_off_usd`.',
    ),
    platform_fees_usd: usd('The fees of the platform on charges that were paid.'),
    earnings_usd: usd('The rest of these charges, which is their builders’.'),
    payable_before_usd: usd('Owed to builders before the month. Below 0: they owe it.'),
    paid_out_usd: usd('Transferred to builders, less what came back.'),
    taken_back_usd: usd('Taken from builders for refunds, and for fees of the processor that they bear.'),
    payable_after_usd: usd(
      'Owed to builders after the month. It is `payable_before_usd` and `earnings_usd`, less `paid_out_usd` and `taken_back_usd`.',
    ),
  })
  .meta({ id: 'MoneyPath', description: 'The way of a month’s money, by the sums of the ledger.' });

export type MoneyPath = z.infer<typeof moneyPathSchema>;

export const moneyPathRoutes: readonly Route[] = [
  {
    access: 'operator',
    tag: 'Operator',
    service: 'billing',
    operationId: 'getMoneyPath',
    method: 'GET',
    path: '/v1/operator/money-path',
    summary: 'Get the way of a month’s money',
    description: 'From the charges over the payments and the fees to the payouts, as the ledger has booked it.',
    query: moneyPathQuerySchema,
    responses: { 200: { description: 'The sums of the month.', schema: moneyPathSchema } },
    errors: [],
  },
];
