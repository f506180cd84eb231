import { parseTraceparent, traceparentLengthMax } from '@tollgate/kernel/traceparent';
import { z } from 'zod';

export const traceparentSchema = z
  .string()
  .max(traceparentLengthMax)
  .refine(isTraceparent, { error: 'must be a traceparent of W3C Trace Context: 00-<trace id>-<span id>-<flags>' });

export function isTraceparent(value: unknown): value is string {
  return typeof value === 'string' && parseTraceparent(value) !== undefined;
}
