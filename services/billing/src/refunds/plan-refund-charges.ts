/** A charge, and what it gives back. */
export interface ChargeRefund {
  readonly chargeObjectId: string;
  readonly cents: bigint;
}

interface ChargeLeft {
  readonly objectId: string;
  readonly leftCents: bigint;
}

/**
 * Plans which charges give an amount back. It is one if one has enough: the one that has least. Else they are several, those
 * that have most first, so that they are few. Undefined if all together have less.
 */
export function planRefundCharges(cents: bigint, charges: readonly ChargeLeft[]): readonly ChargeRefund[] | undefined {
  const rising = charges.toSorted((a, b) => Number(a.leftCents > b.leftCents) - Number(a.leftCents < b.leftCents));
  const enough = rising.find(({ leftCents }) => leftCents >= cents);
  if (enough) return [{ chargeObjectId: enough.objectId, cents }];
  const planned: ChargeRefund[] = [];
  let missing = cents;
  for (const { objectId: chargeObjectId, leftCents } of rising.toReversed()) {
    const given = leftCents < missing ? leftCents : missing;
    if (given <= 0n) continue;
    planned.push({ chargeObjectId, cents: given });
    missing -= given;
  }
  return missing === 0n ? planned : undefined;
}
