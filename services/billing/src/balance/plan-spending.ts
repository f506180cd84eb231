import type { CreditMove } from './credit.ts';

/** An amount of a credit: the part that is left of it, or the part that an invoice took. */
export interface CreditPart {
  readonly creditId: string;
  readonly cents: bigint;
}

/** Takes at most `cents` from these credits, in their order. Amounts of the moves are below zero. */
export function planTaking(left: readonly CreditPart[], cents: bigint): CreditMove[] {
  return share(left, cents).map(({ creditId, cents: taken }) => ({ creditId, amountCents: -taken }));
}

/**
 * Gives `cents` back to the credits that they were taken from, in the reverse order, so that the credit that was taken
 * last has its money first. Throws if more would come back than was taken.
 */
export function planReturning(taken: readonly CreditPart[], cents: bigint): CreditMove[] {
  const parts = share(taken.toReversed(), cents);
  const missing = cents - parts.reduce((sum, part) => sum + part.cents, 0n);
  if (missing > 0n) throw new Error(`${missing} cents would come back to a balance that paid less`);
  return parts.map(({ creditId, cents: amountCents }) => ({ creditId, amountCents }));
}

function share(parts: readonly CreditPart[], cents: bigint): CreditPart[] {
  let wanted = cents;
  const shared: CreditPart[] = [];
  for (const { creditId, cents: available } of parts) {
    const part = available < wanted ? available : wanted;
    if (part <= 0n) continue;
    shared.push({ creditId, cents: part });
    wanted -= part;
  }
  return shared;
}
