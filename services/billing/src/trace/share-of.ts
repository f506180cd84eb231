import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';

/** The part of an amount of a line that the call's charge is of the line's charge, rounded to zero. */
export function shareOf(amount: Micros, of: { readonly callMicros: Micros; readonly lineMicros: Micros }): Micros {
  return of.lineMicros === 0n ? zeroMicros : micros((amount * of.callMicros) / of.lineMicros);
}
