const fixedCents = 30n;
const perThousand = 29n;

/** What the sandbox keeps of a charge: 2.9 % (half a cent counts as one) + 30 cents, and never more than there is. */
export function sandboxFee(amountCents: bigint): bigint {
  const fee = (amountCents * perThousand + 500n) / 1_000n + fixedCents;
  return fee < amountCents ? fee : amountCents;
}
