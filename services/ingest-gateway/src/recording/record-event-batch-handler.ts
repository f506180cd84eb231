import type { IncomingMessage, ServerResponse } from 'node:http';
import { batchBodyBytesMax, batchSchema, type EventInput } from '@tollgate/contracts/events/events';
import { ignoredFieldsHeader } from '@tollgate/runtime/http/requests/ignored-fields';
import { refuseUnusedKey } from '@tollgate/runtime/http/idempotency/idempotency-key';
import { parseBody, refuseUnknownParameters } from '@tollgate/runtime/http/requests/parse';
import { readJsonBody } from '@tollgate/runtime/http/requests/read-json-body';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { Outcome } from '../submissions/outcome.ts';
import { heldBytesOf } from './held-bytes.ts';
import { judgeItems, type JudgedItem } from './judge-items.ts';
import { outcomesOf } from './record-events.ts';
import { refuseWithoutRoom, type RecordEventHandlerDeps } from './record-event-handler.ts';
import { toApiBatchResult } from './to-api-batch-result.ts';

/** `POST /v1/events/batch`, after authentication and rate limit: 200 with one result per item. */
export function createRecordEventBatchHandler(deps: RecordEventHandlerDeps) {
  const { passOf, recordEvents, countOutcome } = deps;
  return async function handleRecordEventBatch(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = heldBytesOf(request, batchBodyBytesMax);
    refuseWithoutRoom(deps, bytes);
    const pass = passOf(request);
    const body = await readJsonBody(request, { maxBytes: batchBodyBytesMax });
    refuseUnknownParameters(undefined, request.url ?? '');
    refuseUnusedKey(request);
    const { value, ignoredFields } = parseBody(batchSchema, body);
    for (const [name, text] of Object.entries(ignoredFieldsHeader(ignoredFields))) response.setHeader(name, text);
    const consumerId = accountIdOf(request);
    const judged = judgeItems(value.events, consumerId);
    const valid = judged.flatMap((item): EventInput[] => (item.isValid ? [item.event] : []));
    const recorded = await outcomesOf(recordEvents, { consumerId, pass, events: valid, bytes });
    const outcomes = merge(judged, recorded);
    outcomes.forEach(countOutcome);
    refuseIfAllUnknown(outcomes);
    sendJson(response, 200, toApiBatchResult(outcomes, judged.map(ignoredFieldsOf)));
  };
}

function ignoredFieldsOf(item: JudgedItem): readonly string[] {
  return item.isValid ? item.ignoredFields : [];
}

/** `recorded` holds the outcomes of the valid items, in their order. */
function merge(judged: readonly JudgedItem[], recorded: readonly Outcome[]): Outcome[] {
  const next = recorded.values();
  return judged.map((item) => {
    if (!item.isValid) return { kind: 'rejected', error: item.error };
    const { value } = next.next();
    if (value === undefined) throw new Error('an event without an outcome');
    return value;
  });
}

/** 503 means "send all of it again", so the answer is 503 only if every valid item has an unknown outcome. */
function refuseIfAllUnknown(outcomes: readonly Outcome[]): void {
  const unsettled = outcomes.filter((outcome) => outcome.kind !== 'rejected');
  const [first] = unsettled;
  if (first?.kind === 'unknown' && unsettled.every((outcome) => outcome.kind === 'unknown')) throw first.error;
}
