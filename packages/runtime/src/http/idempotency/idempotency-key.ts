import type { IncomingMessage } from 'node:http';
import { idempotencyKeySchema } from '@tollgate/contracts/forms/idempotency-key';
import type { AppError } from '@tollgate/kernel/app-error';
import { invalidRequest } from '../requests/invalid-request.ts';
import { routeOf } from '../requests/request-context.ts';

/** The `Idempotency-Key` header, or undefined. Throws 400. */
export function idempotencyKeyOf(request: IncomingMessage): string | undefined {
  const given = request.headers['idempotency-key'];
  if (given === undefined) return undefined;
  const parsed = idempotencyKeySchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const message = 'must be 1 to 255 printable ASCII characters';
  throw badKey(`The Idempotency-Key header ${message}.`, message);
}

/** Throws 400 where the route keeps no promise for the `Idempotency-Key` header (`KeyUse` of the contracts). */
export function refuseUnusedKey(request: IncomingMessage): void {
  const { idempotencyKey: use } = routeOf(request);
  if (typeof use !== 'object' || request.headers['idempotency-key'] === undefined) return;
  throw badKey(`This route takes no Idempotency-Key header: ${use.refused}.`, 'must not be sent here');
}

/** The key that the body names, else that of the header. Throws 400 if the two differ. */
export function keyOfBodyOr(request: IncomingMessage, bodyKey: string | undefined): string | undefined {
  const key = idempotencyKeyOf(request);
  if (key === undefined || key === bodyKey || bodyKey === undefined) return bodyKey ?? key;
  const message = 'must equal the idempotency_key of the body, if both are sent';
  throw badKey(`The Idempotency-Key header ${message}.`, message);
}

function badKey(detail: string, message: string): AppError {
  return invalidRequest(detail, [{ pointer: '/Idempotency-Key', code: 'invalid_value', message }]);
}
