import { AppError } from '@tollgate/kernel/app-error';
import { periodBounds, periodOf } from '@tollgate/kernel/period';

/** Full hours, half-open. */
export interface UsageWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface RequestedWindow {
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/**
 * Completes a window. A missing bound is the beginning or the end of the current month in UTC. Throws `invalid_request`
 * if the window would end before it begins.
 */
export function usageWindow(requested: RequestedWindow, nowMs: number): UsageWindow {
  const month = periodBounds(periodOf(nowMs));
  const { fromMs = month.start, toMs = month.end } = requested;
  if (fromMs <= toMs) return { fromMs, toMs };
  const pointer = requested.toMs === undefined ? '/from' : '/to';
  const message = 'from must not be after to; if not given, they are the beginning and the end of the current month';
  throw new AppError('invalid_request', `${message}.`, {
    errors: [{ pointer, code: 'invalid_value', message }],
  });
}
