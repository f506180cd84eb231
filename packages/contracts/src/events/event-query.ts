import { z } from 'zod';
import { idempotencyKeyLengthMax } from './events.ts';
import { idSchema } from '../forms/id.ts';
import { pageQueryShape } from '../forms/lists.ts';
import { textSchema } from '../forms/text-schema.ts';
import { timestampSchema } from '../forms/timestamp.ts';

/** The query of `GET /v1/events`. */
export const eventQuerySchema = z
  .object({
    ...pageQueryShape,
    tool_id: textSchema({ min: 1 }).optional().meta({ description: 'Only events of this tool.' }),
    from: timestampSchema.optional().meta({ description: 'Only events at or after this time.' }),
    to: timestampSchema.optional().meta({ description: 'Only events before this time.' }),
    idempotency_key: textSchema({ min: 1, max: idempotencyKeyLengthMax })
      .optional()
      .meta({ description: 'Only the event with this key; for `role=consumer`.' }),
    pass_id: idSchema.optional().meta({ description: 'Only calls that this pass paid for; for `role=consumer`.' }),
    role: z
      .enum(['consumer', 'builder'])
      .default('consumer')
      .meta({ description: '`consumer`: your calls. `builder`: the calls of your tools.' }),
  })
  .check((context) => {
    const { from, to, role, idempotency_key: key, pass_id: passId } = context.value;
    if (from !== undefined && to !== undefined && to < from) {
      context.issues.push(queryIssue('to', 'must not be before `from`', context.value));
    }
    // A builder who could search by key could guess another account's keys.
    if (role === 'builder' && key !== undefined) {
      context.issues.push(queryIssue('idempotency_key', 'is for `role=consumer` only', context.value));
    }
    if (role === 'builder' && passId !== undefined) {
      context.issues.push(
        queryIssue('pass_id', 'is for `role=consumer` only: passes are the consumers’', context.value),
      );
    }
  });

export type EventQuery = z.infer<typeof eventQuerySchema>;

function queryIssue(field: string, message: string, input: unknown) {
  return { code: 'custom' as const, path: [field], message, input, params: { code: 'invalid_value' } };
}
