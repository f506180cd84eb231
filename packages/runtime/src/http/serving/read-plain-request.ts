import type { IncomingHttpHeaders } from 'node:http';

/** A whole request with a head that every parser reads in the same way. */
export interface PlainRequest {
  readonly method: 'POST';
  /** A path, as it was sent. */
  readonly url: string;
  /** By lower-case name. Each was sent once. */
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
  if (headEnd < 0) return undefined;
  const [, url, lines] = plainHead.exec(text.slice(0, headEnd + 2)) ?? [];
  if (url === undefined || lines === undefined) return undefined;
  const rawHeaders: string[] = [];
  const headers: IncomingHttpHeaders = {};
  for (let at = 0; at < lines.length;) {
    const colon = lines.indexOf(':', at);
    const lineEnd = lines.indexOf('\r', colon);
    const name = lines.slice(at, colon);
    const value = lines.slice(colon + 2, lineEnd);
    const lowerName = name.toLowerCase();
    if (lowerName in headers || special.has(lowerName)) return undefined; // sent twice, or a name that objects have
    headers[lowerName] = value;
    rawHeaders.push(name, value);
    at = lineEnd + 2;
  }
  const { host, connection = 'keep-alive', 'content-length': length = '' } = headers;
  const keepsAlive = connection === 'keep-alive';
  if (host === undefined || !(keepsAlive || connection === 'close') || !plainLength.test(length)) return undefined;
  const bodyAt = headEnd + 4;
  const end = bodyAt + Number(length);
  if (Number(length) > bodyBytesMax || bytes.length > end) return undefined;
  if (bytes.length < end) return 'incomplete';
  return { method: 'POST', url, headers, rawHeaders, body: bytes.subarray(bodyAt), keepsAlive };
}
