import type { Pass } from '../passes/pass.ts';
import type { CapWish } from './hold.ts';
import type { Budget } from './sql-budget.ts';
import { windowsBetween } from '../passes/spending-window.ts';

/** The caps of an account that a call between two moments must fit into. */
export function accountCaps(
  budget: Budget | undefined,
  between: { readonly fromMs: number; readonly toMs: number },
): CapWish[] {
  if (budget === undefined) return [];
  const { accountId: ownerId, window } = budget;
  return windowsBetween(window, between).map((each) => ({ ...each, scope: 'account', ownerId }));
}

/** The caps of a pass that a call between two moments must fit into. */
export function passCaps(
  pass: Pass | undefined,
  between: { readonly fromMs: number; readonly toMs: number },
): CapWish[] {
  if (pass?.cap === undefined) return [];
  const { passId: ownerId, cap } = pass;
  return windowsBetween(cap.window, between).map((each) => ({ ...each, scope: 'pass', ownerId }));
}
