import { once } from 'node:events';
import { connect } from 'node:net';

export interface FloodAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface FloodConnection {
  /** One at a time. Undefined: broken off without an answer, and this connection with it. */
  send(request: string): Promise<FloodAnswer | undefined>;
  isOpen(): boolean;
  close(): void;
}

/** A kept connection whose client does the least that it can: thousands of them take little of the machine. */
export async function openFloodConnection(baseUrl: string): Promise<FloodConnection> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let take: ((answer: FloodAnswer | undefined) => void) | undefined;
  let received = '';

  function answer(found: FloodAnswer | undefined): void {
    received = '';
    take?.(found);
    take = undefined;
  }

  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk;
    const found = readAnswer(received);
    if (found !== undefined) answer(found);
  });
  socket.on('error', () => undefined); // 'close' follows
  socket.once('close', () => answer(undefined));
  return {
    send(request) {
      return new Promise((resolve) => {
        if (socket.destroyed) return resolve(undefined);
        take = resolve;
        socket.write(request);
      });
    },
    isOpen: () => !socket.destroyed,
    close: () => socket.destroy(),
  };
}

const endOfHead = '\r\n\r\n';

/** Undefined while it is not whole. All of ours are of ASCII, and tell their length. */
function readAnswer(text: string): FloodAnswer | undefined {
  const headLength = text.indexOf(endOfHead);
  if (headLength < 0) return undefined;
  const [statusLine = '', ...lines] = text.slice(0, headLength).split('\r\n');
  const headers = new Map(lines.map(toHeader));
  const body = text.slice(headLength + endOfHead.length);
  if (body.length < Number(headers.get('content-length') ?? 0)) return undefined;
  return { status: Number(statusLine.split(' ')[1]), headers, body };
}

function toHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
