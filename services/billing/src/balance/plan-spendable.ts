import { micros, type Micros } from '@tollgate/kernel/money';

/** The figures by which the gate decides about calls that a balance must cover, in micro-dollars. */
export interface BalanceBound {
  /** The amount that an invoice could take. */
  readonly balanceMicros: bigint;
  /** The amount that is invoiced and not paid. */
  readonly owedMicros: bigint;
  /** Null: the operator set none. */
  readonly creditLimitMicros: bigint | null;
  /** Null: the gate has no row of the balance. */
  readonly calls: { readonly unbilledMicros: bigint; readonly heldMicros: bigint } | null;
}

/** The spendable part of a balance. */
export interface Spendable {
  /** The part of the balance that nothing spends now, and what is held for calls. */
  readonly heldMicros: Micros;
  /** Below 0 where more is owed. */
  readonly availableMicros: Micros;
  /** The bound of the account's calls; undefined if its balance does not bound them. */
  readonly bound: SpendableBound | undefined;
}

export interface SpendableBound {
  readonly owedMicros: Micros;
  /** The sum of calls that no invoice has billed. */
  readonly unbilledMicros: Micros;
  readonly creditLimitMicros: Micros;
}

export interface SpendableFacts {
  /** As the ledger has it. */
  readonly ledgerMicros: bigint;
  readonly bound: BalanceBound;
  /** The sum of calls that no invoice has billed. Only read where the gate has no row and there is a limit. */
  readonly unbilledMicros: bigint;
}

/** Pure. With a bound, what is available is the room that the gate decides by. */
export function planSpendable({ ledgerMicros, bound, unbilledMicros: rated }: SpendableFacts): Spendable {
  const { balanceMicros, owedMicros, creditLimitMicros, calls } = bound;
  const unspendable = ledgerMicros - balanceMicros;
  if (calls === null && creditLimitMicros === null)
    return { heldMicros: micros(unspendable), availableMicros: micros(balanceMicros), bound: undefined };
  const { unbilledMicros, heldMicros } = calls ?? { unbilledMicros: rated, heldMicros: 0n };
  const limit = creditLimitMicros ?? 0n;
  return {
    heldMicros: micros(unspendable + heldMicros),
    availableMicros: micros(balanceMicros - owedMicros + limit - unbilledMicros - heldMicros),
    bound: {
      owedMicros: micros(owedMicros),
      unbilledMicros: micros(unbilledMicros),
      creditLimitMicros: micros(limit),
    },
  };
}
