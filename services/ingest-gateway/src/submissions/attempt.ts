import type { Outcome } from './outcome.ts';
import type { Submission } from './submission.ts';

/** A submission and the function that takes its outcome. `settle` is called once. */
export interface Attempt {
  readonly submission: Submission;
  settle(outcome: Outcome): void;
}
