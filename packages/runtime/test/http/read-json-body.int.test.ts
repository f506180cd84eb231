import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eventually } from '@tollgate/testkit/eventually';
import { rawExchange } from '@tollgate/testkit/raw-http';
import { createLogger } from '../../src/logging/create-logger.ts';
import { createHttpServer, type HttpServer } from '../../src/http/serving/create-http-server.ts';
import { readJsonBody, readOptionalJsonBody } from '../../src/http/requests/read-json-body.ts';
import { sendJson } from '../../src/http/answers/send-json.ts';
import { sendProblem } from '../../src/http/answers/send-problem.ts';

const maxBytes = 65_536;
const json = 'application/json';
const log = createLogger({ name: 'test', level: 'silent' });
let server: HttpServer;
let port = 0;
const outcomes: string[] = [];

beforeAll(async () => {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const read = request.url === '/optional' ? readOptionalJsonBody : readJsonBody;
    read(request, { maxBytes }).then(
      (body) => {
        outcomes.push('read');
        sendJson(response, 200, { body: body ?? null, polluted: ({} as Record<string, unknown>)['polluted'] ?? null });
      },
      (error: unknown) => {
        outcomes.push(String(error));
        sendProblem(request, response, error);
      },
    );
  };
  server = createHttpServer(answer, { host: '127.0.0.1', port: 0, log, lingerMs: 0 });
  await server.start();
  port = server.address().port;
});

afterAll(() => server.stop());

interface Answer {
  readonly status: number;
  readonly code?: string;
  readonly body?: unknown;
  readonly polluted?: unknown;
  readonly errors?: readonly { readonly pointer: string; readonly code: string }[];
}

async function post(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'content-type': json },
  path = '/',
): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body, headers });
  return { ...((await answer.json()) as object), status: answer.status };
}

describe('200', () => {
  it.each(
    ['', '; charset=utf-8', ';charset="UTF-8"', '; charset=utf8', '; profile=x', ' ; charset=UTF-8 '].flatMap(
      (parameters) => [`application/json${parameters}`, ` APPLICATION/JSON${parameters}`],
    ),
  )('takes %s', async (type) => {
    expect(await post('{"a":1}', { 'content-type': type })).toMatchObject({ status: 200, body: { a: 1 } });
  });

  it('takes an identity encoding', async () => {
    expect(await post('{}', { 'content-type': json, 'content-encoding': 'identity' })).toMatchObject({ status: 200 });
  });

  it.each([
    ['4-byte characters and direction marks', '"👩‍🚀 \u202eabc עברית"'],
    ['composed and decomposed twins, apart', '["\u00e9","e\u0301"]'],
    ['escaped surrogate pairs', '"\\ud83d\\ude00"'],
    ['duplicate keys: the last wins', '{"a":1,"a":2}'],
    ['every kind of JSON value', '[null,true,false,-0.5e3,"",{},[]]'],
  ])('F79 keeps %s', async (_what, text) => {
    expect(await post(text)).toMatchObject({ status: 200, body: JSON.parse(text) as unknown });
  });

  it('takes a body of exactly the limit, with a Content-Length and in chunks', async () => {
    const text = `"${'a'.repeat(maxBytes - 2)}"`;
    expect((await post(text)).status).toBe(200);
    expect((await rawPost({ chunked: text })).status).toBe(200);
  });

  it('F78 takes __proto__ and constructor for plain keys; prototypes stay as they are', async () => {
    const answer = await post('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    expect(answer).toMatchObject({ status: 200, polluted: null });
    expect(Object.keys(answer.body as object)).toEqual(['__proto__', 'constructor']);
  });
});

describe('an optional body', () => {
  it('may be left out, with or without a content type', async () => {
    expect(await post('', {}, '/optional')).toMatchObject({ status: 200, body: null });
    expect(await post('', { 'content-type': 'text/plain' }, '/optional')).toMatchObject({ status: 200, body: null });
    expect(await post('{"a":1}', { 'content-type': json }, '/optional')).toMatchObject({ status: 200, body: { a: 1 } });
    expect((await post('a', { 'content-type': 'text/plain' }, '/optional')).status).toBe(415);
  });
});

describe('415 unsupported_media_type', () => {
  it.each([
    ['another type', { 'content-type': 'text/plain' }],
    ['a form (F82)', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another JSON', { 'content-type': 'application/problem+json' }],
    ['two types', { 'content-type': 'application/json, text/plain' }],
    ['another charset', { 'content-type': 'application/json; charset=latin1' }],
    ['two charsets', { 'content-type': 'application/json; charset=utf-8; charset=utf-16' }],
    ['gzip', { 'content-type': json, 'content-encoding': 'gzip' }],
    ['an unknown encoding', { 'content-type': json, 'content-encoding': 'x' }],
  ])('%s', async (_what, headers) => {
    expect(await post('{}', headers)).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  });

  it('no type at all', async () => {
    expect((await rawPost({ text: '{}', headers: [] })).status).toBe(415);
  });
});

describe('413 payload_too_large', () => {
  it('one byte more than the limit, with a Content-Length or in chunks', async () => {
    const text = `"${'a'.repeat(maxBytes - 1)}"`;
    expect(await post(text)).toMatchObject({ status: 413, code: 'payload_too_large' });
    expect((await rawPost({ chunked: text })).status).toBe(413);
  });

  it('F77 answers a Content-Length before the body comes, and an endless stream without keeping it', async () => {
    const headers = [`content-type: ${json}`, 'content-length: 99999999999'];
    expect((await rawPost({ text: '', headers })).status).toBe(413);
    const before = heldBytes();
    const chunk = Buffer.from(`10000\r\n${'a'.repeat(65_536)}\r\n`);
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${json}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    let sent = 0;
    const answered = new Promise<string>((resolve) => void socket.once('data', (data) => resolve(data.toString())));
    while (sent < 400 && !socket.destroyed) {
      await new Promise<void>((resolve) => void socket.write(chunk, () => resolve()));
      sent += 1;
    }
    expect(await answered).toMatch(/^HTTP\/1\.1 413 /);
    // The client sent 26 MB. V8 frees buffers on a thread of its own, which may be late on a busy machine.
    await eventually(() => heldBytes() - before < 12 * 1_048_576, { withinMs: 5_000 });
    socket.destroy();
  });
});

describe('400 invalid_request', () => {
  it.each([
    ['nothing', ''],
    ['white space', '  '],
    ['half an object', '{"a":'],
    ['a bare word', 'abc'],
    ['two values', '{}{}'],
    ['single quotes', "{'a':1}"],
    ['a trailing comma', '{"a":1,}'],
    ['a comment', '/**/{}'],
    ['NaN', '{"a":NaN}'],
    ['a byte order mark within', '{"a":\ufeff1}'],
    ['two byte order marks', '\ufeff\ufeff{}'],
    ['a bare control character', '"\u0001"'],
    ['a bare NUL', '{"a":"\0"}'],
    ['a wrong escape', '"\\x41"'],
  ])('%s', async (_what, text) => {
    expect(await post(text)).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it.each([
    ['a cut character', [0x22, 0xe2, 0x82, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
    ['beyond Unicode', [0x22, 0xf5, 0x80, 0x80, 0x80, 0x22]],
  ])('F79 bad UTF-8: %s', async (_what, bytes) => {
    expect(await post(Uint8Array.from(bytes))).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it.each([
    ['"\\u0000"', ''],
    ['{"a":"x\\u0000"}', '/a'],
    ['{"a":{"b~/c":["ok","\\ud800"]}}', '/a/b~0~1c/1'],
    ['{"a":"\\udc00\\ud800"}', '/a'],
    ['{"\\ud800":1}', ''],
    ['{"x":{"k\\u0000":1}}', '/x'],
    ['[[{"__proto__":"\\u0000"}]]', '/0/0/__proto__'],
  ])('F79 refuses NUL and lone surrogates, and names their place: %s', async (text, pointer) => {
    expect(await post(text)).toMatchObject({
      status: 400,
      code: 'invalid_request',
      errors: [{ pointer, code: 'invalid_characters' }],
    });
  });

  it.each([
    ['open brackets', '['.repeat(100_000)],
    ['closed brackets', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['objects', '{"a":'.repeat(12_000)],
    ['33 levels', '['.repeat(33) + ']'.repeat(33)],
  ])('F78 depth bombs: %s', async (_what, text) => {
    const answer = await post(text.slice(0, maxBytes));
    expect(answer).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it('brackets inside strings are no depth', async () => {
    expect((await post(JSON.stringify({ a: '['.repeat(1_000), b: '\\"[[['.repeat(50) }))).status).toBe(200);
  });

  it('F78 whatever the bytes are, the answer is 200 or 400', async () => {
    const cut = fc.json().map((text) => text.slice(1));
    const isAnswered = fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.json(), cut), async (text) => {
      expect([200, 400]).toContain((await post(text)).status);
    });
    await fc.assert(isAnswered, { numRuns: 150 });
  });
});

describe('an aborted request', () => {
  it('ends its reading and disturbs no other request', async () => {
    const known = outcomes.length;
    const socket = connect(port, '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${json}\r\nContent-Length: 100\r\n\r\n{"half":`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    while (outcomes.length === known) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(outcomes.at(-1)).toMatch(/broken off/);
    expect((await post('{}')).status).toBe(200);
  });
});

function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)(); // the flag has just defined it
  return process.memoryUsage().arrayBuffers;
}

interface RawBody {
  readonly text?: string;
  readonly chunked?: string;
  readonly headers?: readonly string[];
}

async function rawPost({ text, chunked, headers }: RawBody): Promise<{ status: number }> {
  const lines = ['POST / HTTP/1.1', 'Host: x', 'Connection: close'];
  if (headers) lines.push(...headers);
  else lines.push(`Content-Type: ${json}`);
  let body = text ?? '';
  if (chunked !== undefined) {
    lines.push('Transfer-Encoding: chunked');
    const halves = [chunked.slice(0, 1_000), chunked.slice(1_000)];
    body = `${halves.map((half) => `${half.length.toString(16)}\r\n${half}\r\n`).join('')}0\r\n\r\n`;
  } else if (!headers?.some((header) => header.startsWith('content-length')))
    lines.push(`Content-Length: ${body.length}`);
  return rawExchange(port, `${lines.join('\r\n')}\r\n\r\n${body}`);
}
