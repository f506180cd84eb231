/** A test's server runs in a container, whose ports are on `host`, or as a process of this machine. */
export type Place = { readonly kind: 'docker'; readonly host: string } | { readonly kind: 'local' };

export interface Ways {
  /** Returns the host of containers' ports. Throws the reason if there can be no container. */
  docker(): Promise<string>;
  /** Throws if this machine lacks a program. */
  local(): Promise<unknown>;
}

/**
 * Chooses a container if Docker answers and has or gets the image, otherwise the programs of this machine.
 * TEST_SERVERS=docker or =local leaves no choice. Throws the reasons if neither works.
 */
export async function choosePlace(ways: Ways, wanted: string = process.env['TEST_SERVERS'] ?? ''): Promise<Place> {
  if (!['', 'docker', 'local'].includes(wanted)) throw new Error('TEST_SERVERS is docker or local, or not set');
  const reasons: string[] = [];
  const refuse = (error: unknown): void => void reasons.push(error instanceof Error ? error.message : String(error));

  const host = wanted === 'local' ? undefined : await ways.docker().catch(refuse);
  if (typeof host === 'string') return { kind: 'docker', host };
  const isHere = wanted !== 'docker' && (await ways.local().then(() => true, refuse));
  if (isHere) return { kind: 'local' };
  throw new Error(reasons.join('; '));
}
