import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { listSchema, pageQuerySchema } from '../forms/lists.ts';
import { textSchema } from '../forms/text-schema.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';
import type { Route } from '../routes/route.ts';

/** So many minutes an approval waits for its answer, and an approved one for its call. */
export const approvalMinutes = 10;

const usd = z.number().meta({ description: 'US dollars, up to six decimals.' });

export const approvalSchema = z
  .object({
    id: idSchema,
    state: z.enum(['open', 'approved', 'refused', 'used']).meta({
      description: '`open`: it waits for your answer. `approved`: the next call that it fits goes through, once.',
    }),
    pass_id: idSchema,
    pass_name: z.string().meta({ description: 'The name that you gave the pass.' }),
    tool_id: z.string().meta({ description: 'The slug of the tool.' }),
    count: z.int().meta({ description: 'How many calls were asked for at once.' }),
    at_most_usd: usd.meta({ description: 'The most that they may come to.' }),
    beyond_cap_usd: usd.meta({
      description: 'The part of it for which the cap of the pass has no room; 0 where the call only needs approval.',
    }),
    cap: z
      .object({
        amount_usd: usd,
        window: z.enum(['day', 'month', 'total']),
        spent_usd: usd.meta({ description: 'What counted calls of this window came to.' }),
        held_usd: usd.meta({ description: 'What is held for calls that are authorized or not counted yet.' }),
        remaining_usd: usd.meta({ description: 'What can still be held.' }),
      })
      .nullable()
      .meta({ description: 'The cap of the pass as it stands now; null without one.' }),
    url: z.url().meta({ description: 'The page on which you approve or refuse.' }),
    created_at: isoTimeSchema,
    expires_at: isoTimeSchema.meta({
      description: 'Open: until then it can be answered. Approved: until then a call can use it.',
    }),
  })
  .meta({ id: 'Approval', description: 'A call that the limits of a pass refused, for its owner to decide.' });

const approvalListSchema = listSchema({ id: 'ApprovalList', name: 'approvals', item: approvalSchema });

export type ApiApproval = z.infer<typeof approvalSchema>;

const typed = (max: number) => textSchema({ max }).default('');

/** The forms of the page. Empty fields are wrong and not malformed: a browser sends them. */
export const approvalPageAnswerSchema = z
  .object({
    form: typed(64).meta({ description: 'Stands in the page, and shows that the form is from there.' }),
    answer: z.enum(['sign_in', 'code', 'sign_out', 'approve', 'refuse']),
    email: typed(254),
    password: typed(128),
    code: typed(64),
  })
  .meta({ id: 'ApprovalPageAnswer' });

export type ApprovalPageAnswer = z.output<typeof approvalPageAnswerSchema>;

const approvals = { service: 'auth', tag: 'Spending' } as const;
const browsers = { ...approvals, access: 'public', isInternal: true } as const;
const params = z.object({ id: idSchema });
const pageParams = z.object({ id: z.string() });
const answered = { 200: { description: 'The approval.', schema: approvalSchema } };
const page = { schema: z.string(), mediaTypes: ['text/html'] };

/** A person decides, so neither an API key nor a pass can answer. */
export const approvalRoutes: readonly Route[] = [
  {
    ...approvals,
    access: 'account',
    operationId: 'listApprovals',
    method: 'GET',
    path: '/v1/approvals',
    summary: 'List open approvals',
    description: 'Those of your passes that wait for your answer.',
    query: pageQuerySchema,
    responses: { 200: { description: 'A page of approvals, newest first.', schema: approvalListSchema } },
    errors: [],
  },
  {
    ...approvals,
    access: 'session',
    operationId: 'approveCall',
    method: 'POST',
    idempotencyKey: { refused: 'a repeat approves nothing more' },
    path: '/v1/approvals/{id}/approve',
    summary: 'Approve a call',
    description: `The next authorization for the tool with this pass goes through, once and within ${approvalMinutes} minutes, if it is for no more than what you approve. It never exceeds a budget, a balance or an allowance.`,
    params,
    responses: answered,
    errors: ['not_found', 'approval_not_open'],
  },
  {
    ...approvals,
    access: 'session',
    operationId: 'refuseCall',
    method: 'POST',
    idempotencyKey: { refused: 'a repeat refuses nothing more' },
    path: '/v1/approvals/{id}/refuse',
    summary: 'Refuse a call',
    description: 'You are not asked again for this pass and tool until the approval would have expired.',
    params,
    responses: answered,
    errors: ['not_found', 'approval_not_open'],
  },
  {
    ...browsers,
    operationId: 'getApprovalPage',
    method: 'GET',
    path: '/approvals/{id}',
    params: pageParams,
    summary: 'Show the page of an approval',
    responses: {
      200: { description: 'The page, or that of a sign-in.', ...page },
      404: { description: 'A page that says that the account has no such approval.', ...page },
    },
    errors: [],
  },
  {
    ...browsers,
    operationId: 'answerApprovalPage',
    method: 'POST',
    idempotencyKey: 'ignored',
    path: '/approvals/{id}',
    params: pageParams,
    summary: 'Submit the page of an approval',
    body: approvalPageAnswerSchema,
    bodyType: 'application/x-www-form-urlencoded',
    responses: {
      200: { description: 'A page that says what was answered.', ...page },
      303: { description: 'On to the next page.' },
      403: { description: 'The page again, with the reason why the sign-in failed.', ...page },
      404: { description: 'A page that says that the account has no such approval.', ...page },
    },
    errors: ['unavailable'],
  },
];
