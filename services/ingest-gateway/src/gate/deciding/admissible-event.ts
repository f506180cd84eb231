import type { UsageEventRecord } from '@tollgate/contracts/events/event-record';
import type { Outcome } from '../../submissions/outcome.ts';
import type { Submission } from '../../submissions/submission.ts';
import type { Tool } from '../../tools/tool.ts';

/** An event that was decided on, and would go into the log. */
export interface AdmissibleEvent {
  readonly submission: Submission;
  readonly tool: Tool;
  readonly record: UsageEventRecord;
  onAdmitted(record: UsageEventRecord): void;
  onRefused(outcome: Refusal): void;
}

export type Refusal = Extract<Outcome, { kind: 'rejected' | 'unknown' }>;
