import { connect } from 'node:net';

export interface RawAnswer {
  /** The status of the first answer; 0 if the connection closed without an answer. */
  readonly status: number;
  /** Everything that the server sent. */
  readonly text: string;
  /** How many answers `text` has. */
  readonly answers: number;
  /** True if the server closed the connection before the time ran out. */
  readonly closed: boolean;
}

/** Sends bytes that no HTTP client would send, and collects the answer until the server closes. */
export function rawExchange(
  port: number,
  sent: string | Uint8Array,
  { withinMs = 10_000 }: { withinMs?: number } = {},
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const finish = (closed: boolean): void => {
      clearTimeout(patience);
      socket.destroy();
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
      resolve({ status, text, answers: text.match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0, closed });
    };
    const patience = setTimeout(() => finish(false), withinMs);
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => undefined); // a reset ends in 'close'
    socket.on('close', () => finish(true));
    socket.write(sent);
  });
}
