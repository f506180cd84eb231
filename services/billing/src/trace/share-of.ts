import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';

/** A call's part of an amount of its line, in proportion to its part of the line's charge. Rounded towards zero. */
export function shareOf(amount: Micros, part: { readonly callMicros: Micros; readonly lineMicros: Micros }): Micros {
  return part.lineMicros === 0n ? zeroMicros : micros((amount * part.callMicros) / part.lineMicros);
}
