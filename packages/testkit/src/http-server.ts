import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenLocally } from './listen-locally.ts';

export interface HttpServer {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Serves a service's `handle` on a free port of 127.0.0.1, over real sockets. */
export async function serveHttp(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<HttpServer> {
  const server = createServer(handle);
  return {
    baseUrl: `http://127.0.0.1:${await listenLocally(server)}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections(); // the client keeps its connections open for a while
      await closed;
    },
  };
}
