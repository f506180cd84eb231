import { encodeUsageEvent, type UsageEventRecord } from '@tollgate/contracts/events/event-record';
import { isSlug } from '@tollgate/contracts/forms/slug';
import type { LogRecord } from '@tollgate/event-log/event-log';
import { AppError } from '@tollgate/kernel/app-error';
import type { AdmitEvent, IsUncapped } from '../gate/deciding/admit-event.ts';
import { decideEvent } from './decide-event.ts';
import type { Appends, UnlessCounted } from '../keys/claim.ts';
import type { Submission } from '../submissions/submission.ts';
import type { Tool } from '../tools/tool.ts';
import type { AppendQueue } from './append-queue.ts';
import type { Attempt } from '../submissions/attempt.ts';
import type { ToolDirectory } from '../tools/tool-directory.ts';

export interface AppendEventDeps {
  readonly tools: ToolDirectory;
  readonly queue: AppendQueue;
  readonly admitEvent: AdmitEvent;
  readonly isUncapped: IsUncapped;
}

export function createAppendEvent({ tools, queue, admitEvent, isUncapped }: AppendEventDeps): Appends {
  return {
    appendEvent(attempt) {
      const { tool_id: toolId } = attempt.submission.event;
      const tool = tools.known(toolId);
      if (tool !== undefined || !isSlug(toolId)) write(attempt, tool);
      else
        tools.lookUp(toolId).then(
          (found) => write(attempt, found),
          (error: unknown) => giveUp(attempt, error),
        );
    },
    appendUnlessCounted(attempt, unlessCounted) {
      const { submission } = attempt;
      if (!isUncapped(submission)) return false;
      const decision = decideEvent(submission, tools.known(submission.event.tool_id));
      if (decision.kind === 'reject') return false;
      append(attempt, decision.record, unlessCounted);
      return true;
    },
  };

  function write(attempt: Attempt, tool: Tool | undefined): void {
    const { submission } = attempt;
    const decision = decideEvent(submission, tool);
    if (decision.kind === 'reject') {
      attempt.settle({ kind: 'rejected', error: decision.error });
      return;
    }
    const { record } = decision;
    const isGated = admitEvent({
      submission,
      tool: decision.tool,
      record,
      onAdmitted: (admitted) => append(attempt, admitted),
      onRefused: (outcome) => attempt.settle(outcome),
    });
    if (!isGated) append(attempt, record);
  }

  function append(attempt: Attempt, record: UsageEventRecord, unlessCounted?: UnlessCounted): void {
    const { submission } = attempt;
    queue.append({
      record: toLogRecord(submission, record),
      expiresAtMs: submission.expiresAtMs,
      unlessCounted,
      onDurable: () => attempt.settle(recorded(submission, record)),
      onUnknown: (error) => attempt.settle({ kind: 'unknown', error }),
    });
  }
}

function toLogRecord({ traceparent }: Submission, record: UsageEventRecord): LogRecord {
  const encoded = encodeUsageEvent(record);
  return traceparent === undefined ? encoded : { ...encoded, traceparent };
}

function recorded({ eventId }: Submission, { occurred_at: occurredAt }: UsageEventRecord) {
  return { kind: 'recorded', eventId, occurredAt } as const;
}

/** Nobody can know now whether the tool exists: 503, since a 404 might be false. */
function giveUp(attempt: Attempt, cause: unknown): void {
  const message = 'The tool cannot be looked up at the moment; try again.';
  attempt.settle({
    kind: 'unknown',
    error: new AppError('unavailable', message, { cause, retryAfterSeconds: 1 }),
  });
}
