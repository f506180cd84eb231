import { systemClock } from '../clock.ts';

/** More seconds than anybody means by a wait (31 years): the number is a time. */
const epochSecondsMin = 1e9;
const epochMsMin = 1e12;
const httpDate = /^[a-z]{3,9},? .*\d\d:\d\d:\d\d/i;

/** The seconds that `Retry-After` asks for, as a number, as a date, or as an epoch, which some proxies send. */
export function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  const nowMs = Date.parse(headers.get('date') ?? '') || systemClock.now(); // its clock, for its date
  if (httpDate.test(text)) return secondsUntil(Date.parse(text), nowMs);
  if (!/^\d+(\.\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  if (value < epochSecondsMin) return value;
  return secondsUntil(value < epochMsMin ? value * 1_000 : value, nowMs);
}

function secondsUntil(ms: number, nowMs: number): number | undefined {
  return Number.isFinite(ms) ? Math.max(0, (ms - nowMs) / 1_000) : undefined;
}
