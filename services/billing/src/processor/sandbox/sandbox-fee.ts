const fixedCents = 30n;
const perThousand = 29n;

/**
 * The sandbox's fee on a charge: 2.9 %, rounded to the cent with halves up, + 30 cents. It is never more than the
 * charge.
 */
export function sandboxFee(amountCents: bigint): bigint {
  const fee = (amountCents * perThousand + 500n) / 1_000n + fixedCents;
  return fee < amountCents ? fee : amountCents;
}
