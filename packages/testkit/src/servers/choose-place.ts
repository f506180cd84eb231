/** Where a server of a test runs: in a container, whose ports are on `host`, or as a process of this machine. */
export type Place = { readonly kind: 'docker'; readonly host: string } | { readonly kind: 'local' };

export interface Ways {
  /** Answers where the ports of containers are; throws why there can be none. */
  docker(): Promise<string>;
  /** Throws what this machine lacks. */
  local(): Promise<unknown>;
}

/**
 * In a container where Docker answers and has the image, or gets it; else by the programs of this machine.
 * TEST_SERVERS=docker or =local leaves no choice. Throws the reasons, where there is no way.
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
