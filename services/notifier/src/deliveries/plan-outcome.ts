import { dayMs, hourMs, minuteMs } from '@tollgate/kernel/durations';
import { spreadPause } from './spread-pause.ts';

/** The result of one try. */
export interface Sent {
  /** The status of the answer; null: there was none. */
  readonly status: number | null;
  /** Null: it succeeded. */
  readonly error: string | null;
  /** The answer asked for this pause. */
  readonly retryAfterMs: number | null;
}

export interface OutcomeFacts {
  readonly sent: Sent;
  /** How often it had failed before. */
  readonly tries: number;
  readonly failingSinceMs: number | null;
  readonly nowMs: number;
  /** From 0 to 1. */
  readonly random: number;
}

/** The consequence for the delivery, and for its endpoint. */
export interface Outcome {
  readonly status: 'delivered' | 'pending' | 'failed';
  readonly dueAtMs: number | null;
  readonly tries: number;
  readonly disableFor: 'gone' | 'failing' | null;
}

/** The pause after each failure. After the last one, the delivery has failed. */
const pausesMs = [
  5_000,
  minuteMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];
const retryAfterMaxMs = dayMs;
const failingMaxMs = 5 * dayMs;

export function planOutcome({ sent, tries, failingSinceMs, nowMs, random }: OutcomeFacts): Outcome {
  if (sent.error === null) return { status: 'delivered', dueAtMs: null, tries, disableFor: null };
  if (sent.status === 410) return { status: 'failed', dueAtMs: null, tries: tries + 1, disableFor: 'gone' };
  const disableFor = failingSinceMs !== null && nowMs - failingSinceMs >= failingMaxMs ? 'failing' : null;
  const pauseMs = pausesMs[tries];
  if (pauseMs === undefined) return { status: 'failed', dueAtMs: null, tries: tries + 1, disableFor };
  const wishMs = Math.min(sent.retryAfterMs ?? 0, retryAfterMaxMs);
  return {
    status: 'pending',
    dueAtMs: nowMs + Math.max(spreadPause(pauseMs, random), wishMs),
    tries: tries + 1,
    disableFor,
  };
}
