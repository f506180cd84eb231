import { AppError } from '@tollgate/kernel/app-error';
import { periodBounds, periodOf } from '@tollgate/kernel/period';

/** Full hours, half-open. */
export interface UsageWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface AskedWindow {
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** What is left out is the beginning and the end of the current month, UTC. */
export function usageWindow(asked: AskedWindow, nowMs: number): UsageWindow {
  const month = periodBounds(periodOf(nowMs));
  const { fromMs = month.start, toMs = month.end } = asked;
  if (fromMs <= toMs) return { fromMs, toMs };
  const pointer = asked.toMs === undefined ? '/from' : '/to';
  const message = 'from must not be after to; left out, they are the beginning and the end of the current month';
  throw new AppError('invalid_request', `${message}.`, {
    errors: [{ pointer, code: 'invalid_value', message }],
  });
}
