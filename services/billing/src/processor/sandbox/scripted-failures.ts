export type MovementKind = 'charge' | 'refund' | 'transfer';

/**
 * What shall go wrong at the sandbox.
 * - `decline`: refused by who has the money.
 * - `timeout_before_effect`, `timeout_after_effect`: the caller is left without an answer; nothing, or all of it, was done.
 * - `delay`: done at once, answered after 5 s.
 * - `insufficient_funds`: of a transfer: our balance there is too small.
 * - `reverse_later`: of a transfer: it succeeds, and comes back an hour later.
 */
export type ScriptedFailureName =
  | 'decline'
  | 'timeout_before_effect'
  | 'timeout_after_effect'
  | 'delay'
  | 'insufficient_funds'
  | 'reverse_later';

export interface FailureScript {
  readonly on: MovementKind;
  readonly failure: ScriptedFailureName;
  /** With how many orders. */
  readonly times: number;
  /** Only with orders for this invoice (also to refund it) or payout; undefined: with any. */
  readonly subjectId: string | undefined;
}

export interface ScriptedFailure extends FailureScript {
  readonly id: string;
  readonly createdAtMs: number;
}

/** Of the next orders that the sandbox has not had before, each meets the oldest failure that is meant for it. */
export interface ScriptedFailures {
  add(script: FailureScript): Promise<ScriptedFailure>;
  /** Those still to come, the oldest first; `times` is what is left. */
  list(): Promise<readonly ScriptedFailure[]>;
  clear(): Promise<void>;
}
