import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { problemMediaType } from '@tollgate/contracts/forms/problem';
import { AppError } from '@tollgate/kernel/app-error';
import { toErrorResponse } from '../answers/error-response.ts';
import { toProblem } from '../answers/send-problem.ts';

export interface Malformed {
  readonly error: Error & { code?: string };
  readonly socket: Duplex;
  /** The answer of this connection that has not ended yet. */
  readonly pending: ServerResponse | undefined;
}

const malformed = new AppError('invalid_request', 'The request is not well-formed HTTP.');

/** Maps the codes of Node's parser and timers to refusals. */
const refusals: Readonly<Record<string, AppError>> = {
  HPE_HEADER_OVERFLOW: new AppError('invalid_request', 'The request line and headers are too large.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new AppError('payload_too_large', 'The chunk extensions are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: new AppError('request_timeout', 'The request did not arrive in time.'),
};

/**
 * Answers bytes that never became a request (smuggling attempts, slow headers, garbage) with a problem. It closes the
 * connection, since after a framing error nobody knows where the next request begins. It never writes into another
 * answer.
 */
export function answerMalformed({ error, socket, pending }: Malformed): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const refuse = (): void => void socket.end(toBytes(refusals[error.code ?? ''] ?? malformed), () => socket.destroy());
  if (!pending) refuse();
  else if (pending.req.complete) pending.once('finish', refuse); // the error is in the request behind it
  else if (pending.headersSent) socket.destroy();
  else refuse(); // the error is in the body of this request
}

/** CONNECT asks for a tunnel, and we are no proxy. */
export function refuseTunnel(socket: Duplex): void {
  socket.on('error', () => undefined); // the client may be gone
  socket.end(toBytes(noTunnel), () => socket.destroy());
}

const noTunnel = new AppError('method_not_allowed', 'There are no tunnels here.');

function toBytes(error: AppError): string {
  const answer = toErrorResponse(error);
  const requestId = randomUUID();
  const body = JSON.stringify(toProblem(answer, { instance: '/', requestId }));
  return [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? 'Error'}`,
    'Connection: close',
    `X-Request-Id: ${requestId}`,
    `Content-Type: ${problemMediaType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
