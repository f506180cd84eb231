import type { Pass } from '../../passes/pass.ts';
import type { CapWish, HoldWish } from '../authorizations/hold.ts';
import type { Budget } from './sql-budget.ts';
import { windowsBetween, type WindowKind } from '../../passes/spending-window.ts';

/** The caps of an account that a call between two moments must fit into. */
export function accountCaps(
  budget: Budget | undefined,
  between: { readonly fromMs: number; readonly toMs: number },
): CapWish[] {
  if (budget === undefined || budget.amountMicros === null) return []; // the row of a removed budget stays
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

/** The caps that a wish must fit into if the windows of budget and pass have changed, whatever they are now. */
export function capsOfAnyWindow(wish: Pick<HoldWish, 'accountId' | 'passId' | 'caps' | 'between'>): CapWish[] {
  const { accountId, passId, caps, between } = wish;
  const windows = (kind: WindowKind) => windowsBetween(kind, between);
  const ofAccount = (['day', 'month'] as const).flatMap(windows);
  const ofPass = (['day', 'month', 'total'] as const).flatMap(windows);
  return [
    ...ofAccount.map((each): CapWish => ({ ...each, scope: 'account', ownerId: accountId })),
    ...(passId === null ? [] : ofPass.map((each): CapWish => ({ ...each, scope: 'pass', ownerId: passId }))),
    ...caps.filter(({ scope }) => scope === 'balance'),
  ];
}
