import type { CapState, SettledHold } from '../authorizations/hold.ts';
import type { HeldMoney } from './sql-settled-hold.ts';

interface ChargedIn {
  readonly caps: readonly CapState[];
  readonly holds: ReadonlyMap<string, HeldMoney>;
}

interface ChargedUnheard extends ChargedIn {
  readonly accountId: string;
  /** The passes that a pass is a part of. */
  readonly ancestorsOf: ReadonlyMap<string, readonly string[]>;
}

/** The charges of events, by cap that holds their money. */
export function chargedOfCaps(settled: readonly SettledHold[], { caps, holds }: ChargedIn): Map<bigint, bigint> {
  const capOf = new Map(caps.map((cap) => [cap.capId, cap]));
  return chargedBy(settled, ({ holdId }) => holds.get(holdId)?.capIds.flatMap((id) => capOf.get(id) ?? []) ?? []);
}

/**
 * Likewise, by cap that they belong to and that does not hold them: the gateway that took them had not heard of it. For caps
 * whose spending is a sum of events; that of a month is rated as a whole.
 */
export function chargedUnheard(
  settled: readonly SettledHold[],
  { accountId, caps, holds, ancestorsOf }: ChargedUnheard,
): Map<bigint, bigint> {
  const capsOf = Map.groupBy(caps, ({ ownerId }) => ownerId);
  return chargedBy(settled, ({ holdId }) => {
    const hold = holds.get(holdId);
    if (hold === undefined) return [];
    const passId = hold.passId ?? '';
    const owned = [accountId, passId, ...(ancestorsOf.get(passId) ?? [])].flatMap(
      (ownerId) => capsOf.get(ownerId) ?? [],
    );
    return owned.filter(({ capId }) => !hold.capIds.includes(capId));
  });
}

/** The charges of events, by cap into whose window they fall. */
function chargedBy(
  settled: readonly SettledHold[],
  capsOf: (event: SettledHold) => readonly CapState[],
): Map<bigint, bigint> {
  const charged = new Map<bigint, bigint>();
  for (const event of settled)
    for (const cap of capsOf(event))
      if (isWithin(cap, event.occurredAtMs)) {
        const came = cap.scope === 'pass' ? event.passMicros : event.chargedMicros;
        charged.set(cap.capId, (charged.get(cap.capId) ?? 0n) + came);
      }
  return charged;
}

function isWithin({ startMs, endMs }: CapState, atMs: number): boolean {
  return startMs <= atMs && atMs < endMs;
}
