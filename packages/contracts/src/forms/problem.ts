import { z } from 'zod';
import { errorCodes, type ErrorCode } from '@tollgate/kernel/error-codes';
import { idSchema } from './id.ts';
import { isoTimeSchema } from './timestamp.ts';

const usd = z.number().meta({ description: 'US dollars, up to six decimals.' });

/** The cap that a call did not fit into. */
export const spendingLimitSchema = z
  .object({
    scope: z.enum(['account', 'pass', 'call', 'balance', 'allowance']).meta({
      description:
        'What the cap limits. `call`: the `per_call_max_usd` of the pass. `balance`: the balance with the credit limit, less what invoices bill and nothing has paid. `allowance`: what an account without a payment method may owe, with its balance, less the same.',
    }),
    cap_usd: usd,
    spent_usd: usd.meta({
      description:
        'What counted calls of the window came to; of a balance or an allowance, those that no invoice has billed.',
    }),
    held_usd: usd.meta({ description: 'What is held for calls that are authorized or not counted yet.' }),
    needed_usd: usd.meta({ description: 'The most that the refused call can come to.' }),
    resets_at: isoTimeSchema.nullable().meta({
      description: 'When the window ends, and the cap is free again; null where it has no end.',
    }),
  })
  .meta({ id: 'SpendingLimit' });

/** The approval that can let a refused call through. */
const approvalLinkSchema = z
  .object({
    id: idSchema,
    url: z.url().meta({ description: 'The page on which the owner of the pass signs in, and approves or refuses.' }),
    expires_at: isoTimeSchema.meta({ description: 'Until then it can be answered.' }),
  })
  .meta({ id: 'ApprovalLink' });

/** The media type of every error body (RFC 9457). */
export const problemMediaType = 'application/problem+json';

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]; // the keys of a Record<ErrorCode, …>

export const fieldErrorSchema = z
  .object({
    pointer: z.string().meta({
      description: 'JSON Pointer (RFC 6901) into the body; `/name` for a query parameter or a header.',
      examples: ['/metadata/tokens'],
    }),
    code: z.string().meta({ description: 'The stable code of this error.', examples: ['too_long'] }),
    message: z.string().meta({ description: 'What the value must be, in words.' }),
  })
  .meta({ id: 'FieldError', description: 'One error in the request.' });

/** The body of every answer of 400 and above, from every service. */
const problemSchema = z
  .object({
    type: z.string().meta({
      description: 'A stable URN made from `code`. It identifies the kind of problem and is not a link.',
      examples: ['urn:tollgate:problem:invalid_request'],
    }),
    title: z.string().meta({ description: 'The kind of problem in words; may change, unlike `code`.' }),
    status: z.int().min(400).max(599).meta({ description: 'The HTTP status, repeated.' }),
    detail: z.string().meta({ description: 'The cause of this error in words.' }),
    instance: z.string().meta({ description: 'The path of the request.', examples: ['/v1/events'] }),
    code: z.enum(codes).meta({ description: 'The stable code: program against this.' }),
    request_id: z.string().meta({ description: 'The `X-Request-Id` of this answer.' }),
    errors: z.array(fieldErrorSchema).optional().meta({ description: 'For `invalid_request`: every wrong field.' }),
    counted_through: isoTimeSchema.optional().meta({
      description:
        'For `event_not_found`: all events that were received before this time are counted. So a client can distinguish "not yet" from "never".',
    }),
    limit: spendingLimitSchema.optional().meta({
      description:
        'Only the account that pays sees it. For `spending_cap_reached`: the cap. For `payment_required`: the allowance, if nothing of it is left.',
    }),
    resets_at: isoTimeSchema.nullable().optional().meta({
      description:
        'For `spending_cap_reached`: when the window of the cap ends; null where it has no end. For `payment_required` and `approval_required`: null.',
    }),
    approval: approvalLinkSchema.optional().meta({
      description:
        'For `spending_cap_reached` and `approval_required` of an authorization: how the owner of the pass can let this call through.',
    }),
    checks: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'For `/readyz` on the port of the metrics: each part, with `ok` or the reason.' }),
  })
  .meta({ id: 'Problem', description: 'An error (RFC 9457).' });

export type Problem = z.infer<typeof problemSchema>;

/** A URN, which is the same in every deployment. RFC 9457 requires no page behind it. */
export function problemTypeOf(code: ErrorCode): string {
  return `urn:tollgate:problem:${code}`;
}
