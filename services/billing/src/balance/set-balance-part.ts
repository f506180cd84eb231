import { dayMs } from '@tollgate/kernel/durations';
import type { Transaction } from '@tollgate/database/database';
import { postLedger } from '../ledger/sql-ledger.ts';
import { balancePaidPosting, balanceReturnedPosting } from './balance-postings.ts';
import type { CreditMove } from './credit.ts';
import { planReturning, planTaking, type CreditPart } from './plan-spending.ts';
import { listSpendableTopUps, lockCredits, lockCreditsOfInvoice } from './sql-balance-credits.ts';
import { insertMoves, readBalancePayment, type BalancePayment } from './sql-balance-moves.ts';
import { keepUsable, listGrants, type Grant } from './sql-grants.ts';
import { listLaidParts, markLaid, putLaidInvoice, replaceLaidParts } from './sql-laid-invoices.ts';
import { gatherInvoiceCharges } from './gather-charges.ts';
import { planLaying, splitLaid, sumByCredit, type LaidRun } from './plan-laying.ts';

/** Money that comes back to a grant may be used for so long, also if the grant would have ended. */
const usableAfterReturnMs = 30 * dayMs;

export interface WantedPart {
  /** How much of the invoice the balance shall have paid, in cents. */
  readonly cents: bigint;
  readonly nowMs: number;
  /** `grants`: top-ups pay nothing now. */
  readonly from?: 'grants';
  /** It pays all of that or nothing more. */
  readonly isWhole?: boolean;
}

/**
 * Takes from the consumer's balance, or gives back to it, until the balance has paid so much of the invoice. Grants pay for
 * calls that were made while they were valid, and top-ups pay for any. Returns how much the balance has paid then, which is
 * less if it has no more. Safe to repeat.
 */
export async function setBalancePart(tx: Transaction, invoice: PayableInvoice, wanted: WantedPart): Promise<bigint> {
  const paid = await readBalancePayment(tx, invoice.id);
  if (paid.cents === wanted.cents) return wanted.cents;
  return paid.cents < wanted.cents ? take(tx, { invoice, paid, wanted }) : giveBack(tx, { invoice, paid, wanted });
}

interface Change {
  readonly invoice: PayableInvoice;
  readonly paid: BalancePayment;
  readonly wanted: WantedPart;
}

async function take(tx: Transaction, change: Change): Promise<bigint> {
  const { invoice, paid, wanted } = change;
  await lockCredits(tx, invoice.consumerId);
  const laying = await layInvoice(tx, invoice);
  const topUps = wanted.from === 'grants' ? [] : await listSpendableTopUps(tx, invoice.consumerId);
  const moves = planTaking([...(laying?.parts ?? []), ...topUps], wanted.cents - paid.cents);
  const takenCents = -sumOf(moves);
  if (wanted.isWhole === true && paid.cents + takenCents < wanted.cents) return paid.cents;
  if (takenCents > 0n) await move(tx, change, moves);
  await keepLaying(tx, change, laying);
  return paid.cents + takenCents;
}

async function giveBack(tx: Transaction, change: Change): Promise<bigint> {
  const { invoice, paid, wanted } = change;
  const moves = planReturning(await takenBy(tx, invoice), paid.cents - wanted.cents);
  await move(tx, change, moves);
  const creditIds = moves.map(({ creditId }) => creditId);
  await keepUsable(tx, creditIds, wanted.nowMs + usableAfterReturnMs);
  const laid = await listLaidParts(tx, invoice.id);
  if (laid.length > 0) await keepLaidParts(tx, invoice.id, { laid, paid: await takenBy(tx, invoice) });
  return wanted.cents;
}

async function move(tx: Transaction, { invoice, paid, wanted }: Change, moves: readonly CreditMove[]): Promise<void> {
  const { id: invoiceId, consumerId: accountId } = invoice;
  const cents = sumOf(moves);
  const amount = { invoiceId, accountId, place: paid.postings + 1, occurredAtMs: wanted.nowMs };
  const posting =
    cents < 0n ? balancePaidPosting({ ...amount, cents: -cents }) : balanceReturnedPosting({ ...amount, cents });
  await insertMoves(tx, { businessKey: posting.businessKey, accountId, invoiceId, movedAtMs: wanted.nowMs }, moves);
  await postLedger(tx, [posting]);
}

async function keepLaying(tx: Transaction, { invoice, wanted }: Change, laying: Laying | undefined): Promise<void> {
  const laid = { invoiceId: invoice.id, accountId: invoice.consumerId, laidAtMs: wanted.nowMs };
  if (laying === undefined) return markLaid(tx, laid);
  await putLaidInvoice(tx, { ...laid, carried: laying.carried });
  await keepLaidParts(tx, invoice.id, { laid: laying.billed, paid: await takenBy(tx, invoice) });
}

function takenBy(tx: Transaction, { id: invoiceId, consumerId: accountId }: PayableInvoice): Promise<CreditPart[]> {
  return lockCreditsOfInvoice(tx, { accountId, invoiceId });
}

function sumOf(moves: readonly CreditMove[]): bigint {
  return moves.reduce((sum, { amountCents }) => sum + amountCents, 0n);
}

/** An invoice that is locked. */
interface PayableInvoice {
  readonly id: string;
  readonly consumerId: string;
  readonly totalCents: bigint;
}

interface Laying {
  /** The parts that grants pay beyond what they have paid. */
  readonly parts: readonly CreditPart[];
  /** The payer of each part that the invoice bills. */
  readonly billed: readonly LaidRun[];
  /** The cent that it began and carries out. */
  readonly carried: LaidRun | undefined;
}

/**
 * Lays the charges of a locked invoice on the grants that were valid when its calls were made. Money that a grant has paid
 * stays where it is. Undefined: nothing has changed. The credits of its consumer must be locked.
 */
async function layInvoice(tx: Transaction, invoice: PayableInvoice): Promise<Laying | undefined> {
  const { id, consumerId: accountId, totalCents } = invoice;
  const grants = await listGrants(tx, accountId, id);
  if (grants.every(({ cents }) => cents === 0n)) return undefined;
  const charges = await gatherInvoiceCharges(tx, { id, accountId });
  const paying = grants.map((grant) => ({ ...grant, cents: grant.takenCents }));
  const { billed, carried } = splitLaid(planLaying({ ...charges, pools: [...paying, ...grants] }), totalCents);
  const parts = morePaid(grants, sumByCredit(billed));
  return parts && { parts, billed, carried: carried[0] };
}

/** Undefined if a grant would pay less than it has paid: calls were counted since, and a part stays where it is. */
function morePaid(grants: readonly Grant[], laid: ReadonlyMap<string, bigint>): CreditPart[] | undefined {
  const parts = grants.map(({ creditId, takenCents }) => ({
    creditId,
    cents: (laid.get(creditId) ?? 0n) - takenCents,
  }));
  return parts.some(({ cents }) => cents < 0n) ? undefined : parts;
}

/** Stores which grants pay which parts of an invoice: of what was laid, the first cents that each of them has paid. */
async function keepLaidParts(
  tx: Transaction,
  invoiceId: string,
  { laid, paid }: { readonly laid: readonly LaidRun[]; readonly paid: readonly CreditPart[] },
): Promise<void> {
  await replaceLaidParts(tx, invoiceId, paidOf(laid, paid));
}

function paidOf(laid: readonly LaidRun[], paid: readonly CreditPart[]): LaidRun[] {
  const left = new Map(paid.map(({ creditId, cents }) => [creditId, cents]));
  return laid.flatMap((run) => {
    const most = run.creditId === null ? 0n : (left.get(run.creditId) ?? 0n);
    const cents = run.cents < most ? run.cents : most;
    if (cents === 0n || run.creditId === null) return [];
    left.set(run.creditId, most - cents);
    return [{ ...run, cents }];
  });
}

export interface RefundedPart {
  readonly businessKey: string;
  readonly accountId: string;
  readonly invoiceId: string;
  readonly cents: bigint;
  readonly refundedAtMs: number;
}

/**
 * Gives a part of a refund back to the credits that paid the invoice. The posting of the refund has the same amount. The
 * invoice must be locked.
 */
export async function refundToBalance(tx: Transaction, part: RefundedPart): Promise<void> {
  const { businessKey, accountId, invoiceId, cents, refundedAtMs: movedAtMs } = part;
  if (cents === 0n) return;
  const moves = planReturning(await lockCreditsOfInvoice(tx, { accountId, invoiceId }), cents);
  await insertMoves(tx, { businessKey, accountId, invoiceId, movedAtMs }, moves);
  const creditIds = moves.map(({ creditId }) => creditId);
  await keepUsable(tx, creditIds, movedAtMs + usableAfterReturnMs);
}
