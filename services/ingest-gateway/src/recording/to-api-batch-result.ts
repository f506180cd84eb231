import type { EventBatchResult, EventItemError } from '@tollgate/contracts/events/event-answers';
import type { AppError } from '@tollgate/kernel/app-error';
import { unreachable } from '@tollgate/kernel/unreachable';
import { toErrorResponse } from '@tollgate/runtime/http/answers/error-response';
import type { Outcome } from '../submissions/outcome.ts';

/** As in `X-Ignored-Fields`. */
const ignoredFieldsMax = 20;

type ItemResult = EventBatchResult['results'][number];

/** `ignoredFields` has the ignored names of each item, in the order of the outcomes. */
export function toApiBatchResult(
  outcomes: readonly Outcome[],
  ignoredFields: readonly (readonly string[])[],
): EventBatchResult {
  const results = outcomes.map((outcome, index) => {
    const ignored = ignoredFields[index]?.slice(0, ignoredFieldsMax) ?? [];
    return { ...toItemResult(outcome, index), ...(ignored.length > 0 && { ignored_fields: ignored }) };
  });
  const countOf = (status: ItemResult['status']): number => results.filter((result) => result.status === status).length;
  return {
    recorded: countOf('recorded'),
    duplicates: countOf('duplicate'),
    rejected: countOf('rejected'),
    unknown: countOf('unknown'),
    results,
  };
}

function toItemResult(outcome: Outcome, index: number): ItemResult {
  switch (outcome.kind) {
    case 'recorded':
    case 'duplicate':
      return { index, status: outcome.kind, event_id: outcome.eventId, timestamp: outcome.occurredAt };
    case 'rejected':
    case 'unknown':
      return { index, status: outcome.kind, error: toItemError(outcome.error) };
    default:
      return unreachable(outcome);
  }
}

function toItemError(error: AppError): EventItemError {
  const { status, code, detail } = toErrorResponse(error);
  const item = { status, code, detail };
  return error.errors ? { ...item, errors: [...error.errors] } : item;
}
