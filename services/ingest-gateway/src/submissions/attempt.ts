import type { Outcome } from './outcome.ts';
import type { Submission } from './submission.ts';

/** A submission, and what takes its outcome. `settle` is called once, on the attempt. */
export interface Attempt {
  readonly submission: Submission;
  settle(outcome: Outcome): void;
}
