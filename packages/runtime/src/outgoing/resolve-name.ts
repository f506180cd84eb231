import { Resolver } from 'node:dns/promises';

/** All addresses of a name; none if there is no such name. Rejects if that cannot be known. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * Asks the DNS itself and no other source, so what the machine's own list of hosts calls by a name stays out of reach. It
 * also takes no thread of libuv's pool: a server that delays its answers for strangers' names would take all four of them.
 */
export async function resolveName(name: string, signal: AbortSignal): Promise<readonly string[]> {
  if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1']; // RFC 6761
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
