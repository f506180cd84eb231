import type { Pass, StoredPass } from '../../passes/pass.ts';
import type { CapWish, HoldWish } from '../authorizations/hold.ts';
import type { Budget } from './sql-budget.ts';
import { windowsBetween, type WindowKind } from '../../passes/spending-window.ts';

interface Between {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The caps of an account that a call between two moments must fit into. */
export function accountCaps(budget: Budget | undefined, between: Between): CapWish[] {
  if (budget === undefined || budget.amountMicros === null) return []; // the row of a removed budget stays
  const { accountId: ownerId, window } = budget;
  return windowsBetween(window, between).map((each) => ({ ...each, scope: 'account', ownerId }));
}

/** The caps of a pass, and of all that it is a part of, that a call between two moments must fit into. */
export function passCaps(pass: Pass | undefined, between: Between): CapWish[] {
  if (pass === undefined) return [];
  const own = ownCaps(pass, between);
  return pass.ancestors.length === 0 ? own : [...pass.ancestors.flatMap((one) => ownCaps(one, between)), ...own];
}

function ownCaps({ passId: ownerId, cap }: StoredPass, between: Between): CapWish[] {
  if (cap === undefined) return [];
  return windowsBetween(cap.window, between).map((each) => ({ ...each, scope: 'pass', ownerId }));
}

type WithCaps = Pick<HoldWish, 'accountId' | 'passId' | 'ancestorIds' | 'caps' | 'between'>;

/** The caps that a wish must fit into if the windows of budget and pass have changed, whatever they are now. */
export function capsOfAnyWindow({ accountId, passId, ancestorIds, caps, between }: WithCaps): CapWish[] {
  const windows = (kind: WindowKind) => windowsBetween(kind, between);
  const ofAccount = (['day', 'month'] as const).flatMap(windows);
  const ofPass = (['day', 'month', 'total'] as const).flatMap(windows);
  const passIds = passId === null ? [] : [...ancestorIds, passId];
  return [
    ...ofAccount.map((each): CapWish => ({ ...each, scope: 'account', ownerId: accountId })),
    ...passIds.flatMap((ownerId) => ofPass.map((each): CapWish => ({ ...each, scope: 'pass', ownerId }))),
    ...caps.filter(({ scope }) => scope === 'balance'),
  ];
}
