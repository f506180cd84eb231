import type { Outcome } from './outcome.ts';
import type { Submission } from './submission.ts';

/** A submission and whoever waits for its outcome, told once. */
export interface Attempt {
  readonly submission: Submission;
  settle(outcome: Outcome): void;
}
