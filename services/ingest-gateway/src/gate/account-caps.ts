import type { CapWish } from './hold.ts';
import type { Budget } from './sql-budget.ts';
import { windowsBetween } from './spending-window.ts';

/** The caps of an account that a call between two moments must fit into. */
export function accountCaps(
  budget: Budget | undefined,
  between: { readonly fromMs: number; readonly toMs: number },
): CapWish[] {
  if (budget === undefined) return [];
  const { accountId: ownerId, window } = budget;
  return windowsBetween(window, between).map((each) => ({ ...each, scope: 'account', ownerId }));
}
