import type { Schemas } from '@tollgate/sdk/edge';

type Version = Schemas['PriceVersion'];

interface Placed {
  readonly version: Version;
  readonly state: 'to come' | 'in force' | 'past';
}

/** Orders versions by the time from which they hold, the latest first, and says which is in force. `now` is the service's. */
export function placeVersions(versions: readonly Version[], now: string): Placed[] {
  const sorted = versions.toSorted((left, right) => (startOf(left) < startOf(right) ? 1 : -1));
  const inForce = sorted.find((version) => startOf(version) <= now);
  return sorted.map((version) => ({ version, state: stateOf(version, inForce, now) }));
}

/** Times of the service have one length, and the first version holds before all of them. */
function startOf({ effective_from: from }: Version): string {
  return from ?? '';
}

function stateOf(version: Version, inForce: Version | undefined, now: string): Placed['state'] {
  if (version === inForce) return 'in force';
  return startOf(version) > now ? 'to come' : 'past';
}
