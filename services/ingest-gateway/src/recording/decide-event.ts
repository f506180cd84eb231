import type { UsageEventRecord } from '@tollgate/contracts/events/event-record';
import { eventAgeMaxMs, type EventInput } from '@tollgate/contracts/events/events';
import { AppError } from '@tollgate/kernel/app-error';
import { timeHere, toIso } from '@tollgate/kernel/clock';
import { measureProblems } from '../tools/measure-problems.ts';
import { pausedPass, refuseTool, type Pass } from '../passes/pass.ts';
import type { Submission } from '../submissions/submission.ts';
import { measuresAt, type Tool } from '../tools/tool.ts';
import { toolNotFound } from '../tools/tool-not-found.ts';

export type Decision =
  | { readonly kind: 'append'; readonly record: UsageEventRecord; readonly tool: Tool }
  | { readonly kind: 'reject'; readonly error: AppError };

/**
 * Decides on an event that is no repeat. The order of the checks is part of the interface: 403, 404, 400, 422. What has become
 * of pass and tool since a call was authorized does not matter: its authorization decides.
 */
export function decideEvent(submission: Submission, tool: Tool | undefined): Decision {
  const { event, pass, receivedAtMs } = submission;
  const isCapture = event.authorization_id !== undefined;
  const refusal = isCapture ? undefined : pass && refusePass(pass, event.tool_id);
  if (refusal !== undefined) return reject(refusal);
  if (tool === undefined || (tool.isArchived && !isCapture)) return reject(toolNotFound(event.tool_id, tool));
  const occurredAtMs = Math.min(event.timestamp ?? receivedAtMs, receivedAtMs); // a time in the future becomes the server's now
  const problems = measureProblems(event.metadata, measuresAt(tool, occurredAtMs));
  if (problems.length > 0) {
    const message = 'A metadata value that the price of the tool sums cannot be summed.';
    return reject(new AppError('invalid_request', message, { errors: problems }));
  }
  if (receivedAtMs - occurredAtMs > eventAgeMaxMs) {
    const message = `The timestamp is more than 24 hours old: ${timeHere(receivedAtMs)}.`;
    return reject(new AppError('event_expired', message));
  }
  return { kind: 'append', record: toRecord(submission, occurredAtMs), tool };
}

function refusePass(pass: Pass, toolId: string): AppError | undefined {
  return pass.isPaused ? pausedPass() : refuseTool(pass, toolId);
}

function reject(error: AppError): Decision {
  return { kind: 'reject', error };
}

/** Absent fields have no key, so they take no space in the log. */
function toRecord(submission: Submission, occurredAtMs: number): UsageEventRecord {
  const { event, pass, bodyHash, receivedAtMs } = submission;
  const receivedAt = toIso(receivedAtMs);
  return {
    v: 1,
    event_id: submission.eventId,
    consumer_id: submission.consumerId,
    tool_id: event.tool_id,
    occurred_at: occurredAtMs === receivedAtMs ? receivedAt : toIso(occurredAtMs),
    received_at: receivedAt,
    success: event.success,
    duration_ms: event.duration_ms, // JSON leaves out undefined values
    metadata: hasMetadata(event) ? event.metadata : undefined,
    idempotency_key: event.idempotency_key,
    body_hash: bodyHash,
    pass_id: pass?.passId,
  };
}

function hasMetadata({ metadata }: EventInput): boolean {
  return metadata !== undefined && Object.keys(metadata).length > 0;
}
