import type { IncomingMessage } from 'node:http';
import { idempotencyKeySchema } from '@tollgate/contracts/idempotency-key';
import { invalidRequest } from './invalid-request.ts';

/** The `Idempotency-Key` header, or undefined. Throws 400. */
export function idempotencyKeyOf(request: IncomingMessage): string | undefined {
  const given = request.headers['idempotency-key'];
  if (given === undefined) return undefined;
  const parsed = idempotencyKeySchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const message = 'must be 1 to 255 printable ASCII characters';
  throw invalidRequest(`The Idempotency-Key header ${message}.`, [
    { pointer: '/Idempotency-Key', code: 'invalid_value', message },
  ]);
}
