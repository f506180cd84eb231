import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { listSchema, pageQuerySchema } from '../forms/lists.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';
import type { Route } from '../routes/route.ts';
import { secondFactorProofSchema } from './second-factor.ts';

/** The reasons why an erasure waits. */
const erasureReasons = ['month', 'call', 'invoice', 'dispute', 'payment', 'payout', 'negative_balance'] as const;

const closureSchema = z
  .object({
    account_id: idSchema,
    closed_at: isoTimeSchema,
    waits_for: z.array(z.enum(erasureReasons)).meta({
      description:
        'What stands between the account and its erasure. `month`: the month of its last calls has no invoice yet. `call`: money is held for a call. `invoice`: an invoice is unpaid. `dispute`: a charge is disputed. `payment`: the outcome of a charge or a refund is unknown. `payout`: earnings are not paid out. `negative_balance`: refunds took more than was earned. Empty: it is erased within a minute, or was.',
    }),
    looked_at: isoTimeSchema.nullable().meta({ description: 'When somebody looked last; null: nobody has yet.' }),
    erased_at: isoTimeSchema.nullable().meta({ description: 'Null: it waits.' }),
    books_kept_until: z.iso.date().meta({
      description: 'Until this day, the law asks the operator to keep invoices, ledger and audit trail.',
      examples: ['2036-12-31'],
    }),
  })
  .meta({ id: 'AccountClosure', description: 'A closed account and its erasure.' });

const closureListSchema = listSchema({ id: 'AccountClosureList', name: 'erasures', item: closureSchema });

export type ApiClosure = z.infer<typeof closureSchema>;

export const closureRoutes: readonly Route[] = [
  {
    service: 'auth',
    tag: 'Accounts',
    access: 'session',
    operationId: 'closeAccount',
    method: 'DELETE',
    path: '/v1/auth/account',
    summary: 'Close the account',
    description:
      'Needs the password, and a code where the second factor is confirmed. Sessions, API keys, passes, consents and webhook endpoints end within a second, and tools are archived. The open month is invoiced and paid out as ever. Then personal data is erased, except what the law asks the operator to keep. This is final. A repeat is 401, since its session has ended.',
    body: secondFactorProofSchema,
    responses: { 200: { description: 'The account is closed.', schema: closureSchema } },
    errors: ['invalid_credentials', 'second_factor_required', 'invalid_second_factor'],
  },
  {
    service: 'auth',
    tag: 'Operator',
    access: 'operator',
    operationId: 'listErasures',
    method: 'GET',
    path: '/v1/operator/erasures',
    summary: 'List closed accounts and what their erasure waits for',
    query: pageQuerySchema,
    responses: { 200: { description: 'A page of closed accounts.', schema: closureListSchema } },
    errors: [],
  },
];
