import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { systemClock } from '@tollgate/kernel/clock';
import { listenLocally } from '@tollgate/testkit/listen-locally';

/** A webhook as it came, before anything was answered. */
export interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly atMs: number;
}

export type Behave = (response: ServerResponse, received: Received) => void;

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** How many connections somebody has opened to it. */
  readonly connections: number;
  /** How many webhooks wait for an answer at the moment, and at most so far. */
  readonly open: { now: number; most: number };
  /** Answers each webhook from now on. */
  behave(behave: Behave): void;
  stop(): Promise<void>;
}

export const answer =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}): Behave =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** Never says a word. */
export const hang: Behave = () => undefined;

/** Begins a good answer, and closes the connection in its middle. */
export const closeMidAnswer: Behave = (response) => {
  response.writeHead(200, { 'content-length': '100' });
  response.write('half of', () => response.destroy());
};

/** A server of somebody who is told: it notes what comes, and behaves as the test wants. */
export async function startReceiver(first: Behave = answer(204)): Promise<Receiver> {
  const received: Received[] = [];
  const open = { now: 0, most: 0 };
  let behave = first;
  const server = createServer((request, response) => void take(request, response));
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    response.on('close', () => void (open.now -= 1)).on('error', () => undefined);
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const webhook = { headers, body: Buffer.concat(chunks).toString(), atMs: systemClock.monotonicMs() };
    received.push(webhook);
    behave(response, webhook);
  }
  let connections = 0;
  server.on('connection', () => void (connections += 1));
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}/told`,
    received,
    get connections() {
      return connections;
    },
    open,
    behave: (next) => void (behave = next),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
