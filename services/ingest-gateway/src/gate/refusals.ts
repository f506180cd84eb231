import { AppError } from '@tollgate/kernel/app-error';
import { toIso } from '@tollgate/kernel/clock';
import { formatUsd, type Micros } from '@tollgate/kernel/money';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import type { CapState } from './hold.ts';

export interface NoRoom {
  readonly cap: CapState;
  readonly neededMicros: Micros;
  /** Only the account that pays sees the figures. */
  readonly isPayer: boolean;
}

export function spendingCapReached({ cap, neededMicros, isPayer }: NoRoom): AppError {
  const resetsAt = toIso(cap.endMs);
  if (!isPayer) {
    const message = 'The consumer’s spending cap has no room for this call.';
    return new AppError('spending_cap_reached', message, { members: { resets_at: resetsAt } });
  }
  const { scope, capMicros, spentMicros, heldMicros } = cap;
  const limit = {
    scope,
    cap_usd: toUsdNumber(capMicros),
    spent_usd: toUsdNumber(spentMicros),
    held_usd: toUsdNumber(heldMicros),
    needed_usd: toUsdNumber(neededMicros),
    resets_at: resetsAt,
  };
  const parts = `${formatUsd(spentMicros)} are spent, ${formatUsd(heldMicros)} are held, and this call can come to ${formatUsd(neededMicros)}`;
  const message = `The spending cap of ${formatUsd(capMicros)} USD has no room for this call: ${parts}. It is free again at ${resetsAt}.`;
  return new AppError('spending_cap_reached', message, { members: { limit, resets_at: resetsAt } });
}

export function authorizationNotFound(): AppError {
  return new AppError('authorization_not_found', 'You have no authorization with this id for this tool.');
}

export function authorizationNotOpen(): AppError {
  const message = 'The authorization is captured or released, or it has expired. Ask for a new one.';
  return new AppError('authorization_not_open', message);
}

export function authorizationExceeded(): AppError {
  const message =
    'The event has more than the `max` of its authorization, and nothing was recorded. Increase the authorization, then send the event again.';
  return new AppError('authorization_exceeded', message);
}

/** An earlier request for the same event may or may not have come into the log. */
export function captureUnknown(): AppError {
  const message =
    'Whether an earlier request with this event counts will be known in some seconds; send it again then.';
  return new AppError('unavailable', message, { retryAfterSeconds: 5 });
}

export function captureConflict(): AppError {
  const message = 'The authorization or the idempotency_key was first used with another event; nothing was counted.';
  return new AppError('idempotency_conflict', message);
}
