import { periodSchema } from '@tollgate/contracts/period';
import { decodeCursor } from '@tollgate/runtime/http/cursor';
import { z } from 'zod';

/** A builder has one payout per period. */
const positionSchema = z.tuple([periodSchema]);

export function toPayoutCursor({ period }: { readonly period: string }): readonly unknown[] {
  return [period];
}

/** Throws 400 for a cursor that we did not give out. */
export function fromPayoutCursor(cursor: string | undefined): { beforePeriod?: string } {
  if (cursor === undefined) return {};
  const [beforePeriod] = decodeCursor(cursor, positionSchema);
  return { beforePeriod };
}
