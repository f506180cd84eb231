import type { IncomingMessage } from 'node:http';
import { AppError } from '@tollgate/kernel/app-error';
import { invalidRequest } from './invalid-request.ts';
import { parseJson } from './parse-json.ts';
import { readmit } from './request-context.ts';

export interface BodyLimits {
  readonly maxBytes: number;
}

/**
 * Reads and parses the request's JSON. Throws 415 for a body that is not JSON, not UTF-8, or encoded. Throws 413 for a
 * body above the limit, if need be at its first byte too many. Throws 400 for an empty, malformed or too deep body, for
 * bad UTF-8, NUL and lone surrogates.
 */
export async function readJsonBody(request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  if (!hasBody(request)) {
    refuseForeignType(request.headers['content-type'] ?? 'application/json');
    throw emptyBody();
  }
  return parseJson(await readBytes(request, limits));
}

/** The same, but undefined without a body. */
export async function readOptionalJsonBody(request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  const bytes = await readRaw(request, limits);
  if (bytes.byteLength === 0) return undefined;
  refuseForeignType(request.headers['content-type']);
  return parseJson(bytes);
}

async function readBytes(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  refuseForeignType(request.headers['content-type']);
  const bytes = await readRaw(request, limits);
  if (bytes.byteLength === 0) throw emptyBody();
  return bytes;
}

/**
 * The body's bytes as they came, for callers that check a signature. Throws 413, and 415 for a Content-Encoding. Throws
 * 401 or 403 if the credential has been revoked or the account suspended while the body came slowly.
 */
export function readRaw(request: IncomingMessage, { maxBytes }: BodyLimits): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw unsupported('Send the body without a Content-Encoding.');
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  return collect(request, maxBytes).then((bytes) => readmit(request)?.then(() => bytes) ?? bytes);
}

function collect(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (finish: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('error', onAbort).off('close', onAbort);
      finish();
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.byteLength;
      if (size <= maxBytes) chunks.push(chunk);
      else settle(() => reject(tooLarge(maxBytes)));
    };
    const onEnd = (): void =>
      settle(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size)));
    const onAbort = (): void => {
      request.on('error', ignore); // the socket may report another error, and nobody else listens
      settle(() => reject(invalidRequest('The request was broken off.')));
    };
    request.on('data', onData).on('end', onEnd).on('error', onAbort).on('close', onAbort);
    if (request.destroyed || request.readableEnded) onAbort();
  });
}

function ignore(): void {
  // the request is gone: nobody needs this error
}

/** Whether the body is plain JSON of a stated length within the limit, by its headers: one of those that clients send. */
export function isPlainJson({ headers }: Pick<IncomingMessage, 'headers'>, { maxBytes }: BodyLimits): boolean {
  const length = Number(headers['content-length'] ?? 0);
  return (
    headers['content-type'] === 'application/json' &&
    headers['content-encoding'] === undefined &&
    length > 0 &&
    length <= maxBytes
  );
}

function hasBody({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined ||
    (headers['content-length'] !== undefined && headers['content-length'] !== '0')
  );
}

const jsonType = /^application\/json[ \t]*((?:;[^;]*)*)$/i;
const utf8Charset = /^"?utf-?8"?$/i;

function refuseForeignType(contentType: string | undefined): void {
  const parameters = jsonType.exec(contentType?.trim() ?? '')?.[1];
  if (parameters === undefined) throw unsupported('Send the body as Content-Type: application/json.');
  for (const parameter of parameters.split(';')) {
    const [name = '', value = ''] = parameter.split('=');
    if (name.trim().toLowerCase() === 'charset' && !utf8Charset.test(value.trim()))
      throw unsupported('Send the body in UTF-8.');
  }
}

function emptyBody(): AppError {
  return invalidRequest('The body is empty; send a JSON object.', [
    { pointer: '', code: 'required', message: 'send a JSON body' },
  ]);
}

function unsupported(message: string): AppError {
  return new AppError('unsupported_media_type', message);
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('payload_too_large', `The body may have at most ${maxBytes} bytes.`);
}
