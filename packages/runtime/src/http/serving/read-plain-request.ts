import type { IncomingHttpHeaders } from 'node:http';

/** A whole request with a head that every parser reads in the same way. */
export interface PlainRequest {
  readonly method: 'POST';
  /** A path, as it was sent. */
  readonly url: string;
  /** Their names are in lower case. Each was sent once. */
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** The client wants its connection to stay. */
  readonly keepsAlive: boolean;
}

const headBytesMax = 4_096;
const bodyBytesMax = 65_536;

/** Visible ASCII with single-byte spaces inside, one space behind each colon, CRLF behind each line, and nothing else. */
const plainHead = /^POST (\/[!-~]*) HTTP\/1\.1\r\n((?:[A-Za-z0-9-]+: [!-~](?:[ -~]*[!-~])?\r\n)+)$/;
const plainLength = /^[1-9]\d{0,4}$/;

/** They say how the body or the connection is to be read, or have a form of their own in Node. */
const special = new Set([
  'set-cookie',
  'transfer-encoding',
  'te',
  'trailer',
  'expect',
  'upgrade',
  'keep-alive',
  'proxy-connection',
]);

/**
 * Reads bytes that are exactly one common POST, as clients send it. Undefined: they are anything else, however near, and Node's
 * parser shall read them. `incomplete`: they are, but for the end of the body. A test holds it to what Node makes of the same bytes.
 */
export function readPlainRequest(bytes: Buffer): PlainRequest | 'incomplete' | undefined {
  const text = bytes.toString('latin1', 0, Math.min(bytes.length, headBytesMax));
  const headEnd = text.indexOf('\r\n\r\n');
  const [, url, lines] = plainHead.exec(text.slice(0, headEnd + 2)) ?? [];
  if (url === undefined || lines === undefined) return undefined;
  const rawHeaders: string[] = [];
  const headers = readHeaders(lines, rawHeaders);
  const framing = headers && framingOf(headers);
  if (headers === undefined || framing === undefined) return undefined;
  const bodyAt = headEnd + 4;
  const missing = bodyAt + framing.length - bytes.length;
  if (missing !== 0) return missing > 0 ? 'incomplete' : undefined;
  return { method: 'POST', url, headers, rawHeaders, body: bytes.subarray(bodyAt), keepsAlive: framing.keepsAlive };
}

/** Adds them to `rawHeaders`, too. Undefined: one was sent twice, has a name that objects have, or is special. */
function readHeaders(lines: string, rawHeaders: string[]): IncomingHttpHeaders | undefined {
  const headers: IncomingHttpHeaders = {};
  for (let at = 0; at < lines.length;) {
    const colon = lines.indexOf(':', at);
    const lineEnd = lines.indexOf('\r', colon);
    const name = lines.slice(at, colon);
    const lowerName = name.toLowerCase();
    if (lowerName in headers || special.has(lowerName)) return undefined;
    const value = lines.slice(colon + 2, lineEnd);
    headers[lowerName] = value;
    rawHeaders.push(name, value);
    at = lineEnd + 2;
  }
  return headers;
}

/** How long the body is, in bytes, and whether another request may follow. */
function framingOf(
  headers: IncomingHttpHeaders,
): { readonly length: number; readonly keepsAlive: boolean } | undefined {
  const { host, connection = 'keep-alive', 'content-length': stated = '' } = headers;
  const length = plainLength.test(stated) ? Number(stated) : Infinity;
  if (host === undefined || length > bodyBytesMax) return undefined;
  if (connection !== 'keep-alive' && connection !== 'close') return undefined;
  return { length, keepsAlive: connection === 'keep-alive' };
}
