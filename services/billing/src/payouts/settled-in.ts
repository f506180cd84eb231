/** The money that a payout took, or that a pending one will take: that of months after one, through another. */
export type SettledIn = { readonly payoutId: string } | { readonly after: string; readonly through: string };

/** Says in SQL whether a row with `payout_id` and `period` is among it, by the values from $2 on. */
export const isSettledIn = `payout_id is not distinct from $2 and ($2 is not null or (period > $3 and period <= $4))`;

export function toSettledValues(settledIn: SettledIn): (string | null)[] {
  return 'payoutId' in settledIn ? [settledIn.payoutId, null, null] : [null, settledIn.after, settledIn.through];
}
