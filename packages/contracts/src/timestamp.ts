import { minuteMs } from '@tollgate/kernel/durations';
import { z } from 'zod';

const pattern = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const earliestMs = new Date('0001-01-01T00:00:00.000Z').getTime();
const latestMs = new Date('9999-12-31T23:59:59.999Z').getTime();

/**
 * Reads an RFC 3339 time with `Z` or an offset: milliseconds since the epoch, or undefined if the text is no such time.
 * - `t` and `z` may be lower case, as the RFC allows; a space for the `T` may not.
 * - More than three fraction digits are cut, not rounded: rounding could move a time into the next hour.
 * - Only dates that exist, and no leap seconds, which the epoch does not count.
 * - The time must lie in the years 1 to 9999 UTC, or it could not be written in this format again.
 */
export function parseTimestamp(text: string): number | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction = ''] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const midnight = midnightOf(Number(year), Number(month), Number(day));
  const offset = offsetMsOf(match[8], match[9], match[10]);
  if (midnight === undefined || offset === undefined) return undefined;
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second);
  const ms = midnight + seconds * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0')) - offset;
  return ms >= earliestMs && ms <= latestMs ? ms : undefined;
}

/** A time in a body or a query; its value is in milliseconds since the epoch. */
export const timestampSchema = z
  .string()
  .transform((text, context) => {
    const ms = parseTimestamp(text);
    if (ms !== undefined) return ms;
    context.issues.push({
      code: 'custom',
      input: text,
      message: 'must be an RFC 3339 date and time with `Z` or an offset',
      params: { code: 'invalid_timestamp' },
    });
    return z.NEVER;
  })
  .meta({
    format: 'date-time',
    description: 'RFC 3339 with `Z` or an offset. Fraction digits after the third are dropped.',
    examples: ['2026-11-21T12:00:00.000Z'],
  });

/** A time in an answer: UTC, milliseconds, `Z`. */
export const isoTimeSchema = z
  .string()
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/)
  .meta({ format: 'date-time', description: 'UTC with milliseconds.', examples: ['2026-11-21T12:00:00.000Z'] });

/** Undefined for a day that its month does not have. */
function midnightOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  const ms = date.setUTCFullYear(year, month - 1, day); // not `Date.UTC`, which reads the years 0 to 99 as 1900 to 1999
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : undefined;
}

function offsetMsOf(sign: string | undefined, hours = '', minutes = ''): number | undefined {
  if (sign === undefined) return 0;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const ms = (Number(hours) * 60 + Number(minutes)) * minuteMs;
  return sign === '-' ? -ms : ms;
}
