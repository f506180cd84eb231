import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Lets a server listen on 127.0.0.1, on a free port unless one is given, and returns the port. */
export async function listenLocally(server: Server, port = 0): Promise<number> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port; // it listens on a port, not on a pipe
}
