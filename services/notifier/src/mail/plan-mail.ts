import { dayMs, hourMs, minuteMs } from '@tollgate/kernel/durations';
import { spreadPause } from '../deliveries/spread-pause.ts';
import type { SmtpAnswer } from './judge-smtp-error.ts';

/** The pause after each try. After the last one, some five days later, the mail is given up. */
const pausesMs = [
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  hourMs,
  3 * hourMs,
  6 * hourMs,
  12 * hourMs,
  dayMs,
  dayMs,
  dayMs,
  dayMs,
];

export interface TriedMail {
  readonly answer: SmtpAnswer;
  /** This try, from 1. */
  readonly attempt: number;
  readonly expiresAtMs: number | null;
  readonly nowMs: number;
  /** From 0 to 1. */
  readonly random: number;
}

export type MailEnd = 'sent' | 'bounced' | 'refused' | 'given_up';

/** A mail ends, or it is tried again. */
export type MailOutcome = { readonly end: MailEnd } | { readonly dueAtMs: number };

export function planMail({ answer, attempt, expiresAtMs, nowMs, random }: TriedMail): MailOutcome {
  if (answer.kind === 'accepted') return { end: 'sent' };
  if (answer.kind !== 'deferred') return { end: answer.kind };
  const pauseMs = pausesMs[attempt - 1];
  if (pauseMs === undefined) return { end: 'given_up' };
  const dueAtMs = nowMs + spreadPause(pauseMs, random);
  return expiresAtMs !== null && dueAtMs >= expiresAtMs ? { end: 'given_up' } : { dueAtMs };
}
