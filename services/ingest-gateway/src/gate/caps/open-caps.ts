import { alertsDefault } from '@tollgate/contracts/spending/budget';
import type { Transaction } from '@tollgate/database/database';
import { sumMicros, type Micros } from '@tollgate/kernel/money';
import { capKeyOf, type CapState, type CapWish, type Hold } from '../authorizations/hold.ts';
import { coversLine, coversLines, type Line } from '../settling/lines.ts';
import type { SettlementPlan } from '../settling/plan-settlement.ts';
import type { SettlementFacts } from '../settling/read-settlement-facts.ts';
import { findBudget } from './sql-budget.ts';
import { dropBalanceCaps, insertCap } from './sql-cap-state.ts';
import { findCreditLimit } from './sql-credit-limit.ts';
import { findSecured } from '../deciding/sql-secured-account.ts';
import { findCappedPasses, findPartsOf } from './sql-pass-cap.ts';
import { addCapToHolds } from '../authorizations/sql-hold.ts';
import { windowAt, type WindowKind } from '../../passes/spending-window.ts';

export interface OpenCapsQuery {
  readonly accountId: string;
  readonly wished: readonly CapWish[];
  /** The account's rows, locked. */
  readonly known: readonly CapState[];
  /** The account's live holds, locked. */
  readonly live: readonly Hold[];
  /** The account's lines, locked, as they are settled. */
  readonly lines: readonly Line[];
}

/**
 * Makes the rows that caps lack: with what was spent of the window before, and with all that is on its way. Part of a
 * settlement, so that both are of one moment.
 */
export async function openCaps(tx: Transaction, plan: SettlementPlan, query: OpenCapsQuery): Promise<void> {
  const known = new Map(query.known.map((cap) => [capKeyOf(cap), cap]));
  const missing = query.wished.filter((cap) => !known.has(capKeyOf(cap)));
  const { live } = query;
  for (const cap of missing) {
    const limit = await limitOf(tx, cap, query.accountId);
    if (cap.scope === 'balance' && limit !== undefined) await dropBalanceCaps(tx, query.accountId);
    const spentMicros = plan.firstSpentOf(cap);
    if (limit === undefined || spentMicros === undefined) continue;
    const heldByCap = cap.scope === 'pass' ? await heldByPass(tx, cap, { live, limit }) : live.filter(isHeldBy(cap));
    await openCap(tx, cap, { ...query, spentMicros, limit, live: heldByCap });
  }
}

/** Calls in lines are held by what their lines hold, where a cap covers whole lines. */
function isHeldBy(cap: CapWish): (hold: Hold) => boolean {
  return ({ lineKeys }) => lineKeys.length === 0 || !coversLines(cap);
}

/** A pass pays for the calls of its parts, too. Whatever made a live hold was a part of it before the limit was read. */
async function heldByPass(
  tx: Transaction,
  { ownerId }: CapWish,
  { live, limit }: Pick<Opening, 'live' | 'limit'>,
): Promise<Hold[]> {
  const passIds = [...new Set(live.flatMap(({ passId }) => passId ?? []))];
  const parts = limit.hasParts === true ? await findPartsOf(tx, ownerId, passIds) : undefined;
  return live.filter(({ passId }) => passId !== null && (passId === ownerId || parts?.has(passId)));
}

/**
 * Since when gateways register all calls of the account: since it got the first of the caps of its own that it has. Null: it
 * never had one.
 */
export async function findCappedSince(tx: Transaction, facts: SettlementFacts): Promise<number | null> {
  const { accountId, caps, wished, cappedSinceMs } = facts;
  const own = wished.filter(({ scope }) => scope !== 'pass');
  if (own.length === 0 || (await isCapped(tx, caps))) return cappedSinceMs;
  const budget = own.some(({ scope }) => scope === 'account') ? await findBudget(tx, accountId) : undefined;
  const starts = own.map(({ scope, startMs }) => (scope === 'balance' ? startMs : budget?.changedAtMs));
  const found = starts.filter((start) => start !== undefined);
  return found.length === 0 ? cappedSinceMs : Math.min(...found);
}

/** A row of a balance may be left over from a limit that is gone: gateways have not registered all calls since. */
async function isCapped(tx: Transaction, caps: readonly CapState[]): Promise<boolean> {
  for (const cap of caps)
    if (cap.scope === 'account' || (cap.scope === 'balance' && (await isBalanceCap(tx, cap)))) return true;
  return false;
}

/** The amount of a cap that is in force. */
interface Limit {
  readonly capMicros: bigint;
  readonly alerts: readonly number[];
  /** Whether other passes are parts of the one that has it. */
  readonly hasParts?: boolean;
}

interface Opening {
  readonly accountId: string;
  readonly spentMicros: Micros;
  readonly limit: Limit;
  readonly live: readonly Hold[];
  readonly lines: readonly Line[];
}

async function openCap(tx: Transaction, cap: CapWish, opening: Opening): Promise<void> {
  const { accountId, spentMicros, limit, live, lines } = opening;
  const covered = lines.filter((line) => coversLine(cap, line));
  const heldMicros = sumMicros([...live.map((hold) => hold.micros), ...covered.map((line) => line.heldMicros)]);
  const capId = await insertCap(tx, { ...cap, ...limit, accountId, spentMicros, heldMicros });
  if (capId !== undefined)
    await addCapToHolds(
      tx,
      live.map(({ holdId }) => holdId),
      capId,
    );
}

/** Undefined: the gateway that wished for the row does not know yet that the cap has changed. */
async function limitOf(tx: Transaction, cap: CapWish, accountId: string): Promise<Limit | undefined> {
  if (cap.scope === 'pass') {
    const [pass] = await findCappedPasses(tx, [accountId], [cap.ownerId]);
    if (pass === undefined || !isWindowOf(pass.cap.window, cap)) return undefined;
    return { capMicros: pass.cap.amountMicros, alerts: alertsDefault, hasParts: pass.hasParts };
  }
  if (cap.scope === 'balance') return (await isBalanceCap(tx, cap)) ? { capMicros: 0n, alerts: [] } : undefined;
  const budget = await findBudget(tx, accountId);
  if (budget === undefined || budget.amountMicros === null || !isWindowOf(budget.window, cap)) return undefined;
  return { capMicros: budget.amountMicros, alerts: budget.alerts };
}

/**
 * A row that begins with all time is asked for by gateways with `CONSUMER_CREDIT=prepaid`, and for an account that never had a
 * payment method.
 */
async function isBalanceCap(tx: Transaction, { ownerId, startMs }: CapWish): Promise<boolean> {
  if (startMs === windowAt('total', startMs).startMs) return true;
  if ((await findCreditLimit(tx, ownerId))?.sinceMs === startMs) return true;
  return (await findSecured(tx, ownerId))?.unsecuredSinceMs === startMs;
}

function isWindowOf(kind: WindowKind, { startMs, endMs }: CapWish): boolean {
  const window = windowAt(kind, startMs);
  return window.startMs === startMs && window.endMs === endMs;
}
