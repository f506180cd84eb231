import { unreachable } from '@tollgate/kernel/unreachable';
import type { AttemptStatus } from './attempt.ts';

export type MovedStatus = 'pending' | 'succeeded' | 'failed' | 'reversed';

/**
 * The next status of an attempt when the processor reports `moved`. Undefined if nothing changes: a late report never
 * takes a status back.
 */
export function afterMovement(
  status: AttemptStatus,
  moved: MovedStatus,
): Exclude<AttemptStatus, 'unknown'> | undefined {
  if (moved === 'pending') return undefined;
  switch (status) {
    case 'unknown':
      return moved;
    case 'failed':
      return moved === 'failed' ? undefined : moved;
    case 'succeeded':
      return moved === 'reversed' ? moved : undefined;
    case 'reversed':
      return undefined;
    default:
      return unreachable(status);
  }
}
