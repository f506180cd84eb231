import { periodSchema } from '@tollgate/contracts/forms/period';
import { decodeCursor } from '@tollgate/runtime/http/lists/cursor';
import { z } from 'zod';

/** The period is enough, since a builder has one payout per period. */
const positionSchema = z.tuple([periodSchema]);

export function toPayoutCursor({ period }: { readonly period: string }): readonly unknown[] {
  return [period];
}

/** Reads a cursor. Throws `invalid_request` for a cursor that we did not create. */
export function fromPayoutCursor(cursor: string | undefined): { beforePeriod?: string } {
  if (cursor === undefined) return {};
  const [beforePeriod] = decodeCursor('payouts', cursor, positionSchema);
  return { beforePeriod };
}
