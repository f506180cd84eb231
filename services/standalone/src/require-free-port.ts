import { once } from 'node:events';
import { createServer } from 'node:net';
import type { StandaloneConfig } from './config.ts';

/**
 * Fails as the listener would where the port cannot be taken. The listener starts last, and a newcomer need not wait for a
 * database to read that the port is in use.
 */
export async function requireFreePort({
  HOST: host,
  PORT: port,
}: Pick<StandaloneConfig, 'HOST' | 'PORT'>): Promise<void> {
  if (port === 0) return;
  const server = createServer();
  server.listen({ host, port });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
