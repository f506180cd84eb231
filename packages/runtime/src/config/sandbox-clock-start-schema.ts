import { sandboxClockBounds } from '@tollgate/contracts/sandbox/sandbox-clock';
import { parseTimestamp } from '@tollgate/contracts/forms/timestamp';
import { toIso } from '@tollgate/kernel/clock';
import { z } from 'zod';

const { startMs, endMs } = sandboxClockBounds;

/** Milliseconds since the epoch; undefined: the clock begins now. */
export const sandboxClockStartSchema = z
  .string()
  .transform((text, context) => {
    const ms = parseTimestamp(text);
    if (ms !== undefined && ms >= startMs && ms < endMs) return ms;
    context.issues.push({
      code: 'custom',
      input: text,
      message: `must be an RFC 3339 time from ${toIso(startMs)} on and before ${toIso(endMs)}`,
    });
    return z.NEVER;
  })
  .optional()
  .describe(
    'Where the clock of an empty database begins, such as 2026-01-31T23:00:00Z. It ticks on from there. Sandbox only.',
  );
