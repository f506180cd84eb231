import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { makeCertificates, type Certificate } from '@tollgate/testkit/make-certificates';
import { createOutgoingFetch, type OutgoingOptions } from '../../src/outgoing/create-outgoing-fetch.ts';

/** Every connection that reached this machine, by a receiver of one of the tests. */
let connections = 0;
const receivers: Server[] = [];
const sockets = new Set<Socket>();

function watch(server: Server): Server {
  receivers.push(server);
  return server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket.on('error', () => undefined).once('close', () => sockets.delete(socket)));
  });
}

async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port; // it listens on a port
}

/** Answers each connection with these bytes, and then as told. */
const rawReceiver = (answer: (socket: Socket) => void): Promise<number> =>
  portOf(watch(createServer((socket) => void socket.once('data', () => answer(socket)))));

const fetchHere = (options: Partial<OutgoingOptions> = {}) =>
  createOutgoingFetch({ allowsLoopback: true, timeoutMs: 1_000, ...options });

const refused = (reason: string) => expect.objectContaining({ name: 'OutgoingError', reason });

beforeEach(() => void (connections = 0));

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(receivers.splice(0).map(async (server) => once(server.close(), 'close')));
});

describe('F311 where a call goes', () => {
  let port: number;
  let asked: { host: string | undefined; url: string | undefined }[];

  beforeEach(async () => {
    asked = [];
    const server = createHttpServer((request, response) => {
      asked.push({ host: request.headers.host, url: request.url });
      response.end('here');
    });
    port = await portOf(watch(server));
  });

  it('F311 connects to the judged address of a name that it resolves nowhere else', async () => {
    const names: string[] = [];
    const outgoingFetch = fetchHere({
      resolve: async (name) => {
        names.push(name);
        return ['127.0.0.1'];
      },
    });
    const answer = await outgoingFetch(`http://tools.example:${port}/a?b=c`);
    expect(await answer.text()).toBe('here');
    expect(asked).toEqual([{ host: `tools.example:${port}`, url: '/a?b=c' }]);
    expect(names).toEqual(['tools.example']);
  });

  it.each([
    ['this machine', ['127.0.0.1']],
    ['this machine, by IPv6', ['::1']],
    ['this machine, mapped', ['::ffff:127.0.0.1']],
    ['a public and a loopback address', ['8.8.8.8', '127.0.0.1']],
    ['a private address', ['10.0.0.1']],
    ['the metadata of a cloud', ['169.254.169.254']],
    ['no address', []],
    ['what is no address', ['tools.example']],
  ])('F311 calls nobody if a name leads to %s', async (_title, addresses) => {
    const outgoingFetch = fetchHere({ allowsLoopback: false, resolve: async () => addresses });
    await expect(outgoingFetch(`https://tools.example:${port}/`)).rejects.toEqual(refused('address'));
    expect(connections).toBe(0);
  });

  it('F311 calls nobody if one of the addresses is private, though loopback is allowed', async () => {
    const outgoingFetch = fetchHere({ resolve: async () => ['127.0.0.1', '10.0.0.1'] });
    await expect(outgoingFetch(`http://tools.example:${port}/`)).rejects.toEqual(refused('address'));
    expect(connections).toBe(0);
  });

  it.each(['127.0.0.1', '127.1', '2130706433', '[::1]', '[::ffff:7f00:1]', 'localhost', 'a.localhost'])(
    'F311 calls nobody at %s, which needs no resolver',
    async (host) => {
      const outgoingFetch = createOutgoingFetch({ allowsLoopback: false });
      await expect(outgoingFetch(`https://${host}:${port}/`)).rejects.toEqual(refused('address'));
      await expect(outgoingFetch(`http://${host}:${port}/`)).rejects.toEqual(refused('address'));
      expect(connections).toBe(0);
    },
  );

  it('F311 sends nothing to the public Internet without TLS', async () => {
    const outgoingFetch = fetchHere({ resolve: async () => ['8.8.8.8'] });
    await expect(outgoingFetch(`http://tools.example:${port}/`)).rejects.toEqual(refused('url'));
  });

  it('F311 judges a name anew at each call, so one that leads elsewhere the next time is refused', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1']];
    const outgoingFetch = fetchHere({ resolve: async () => answers.shift() ?? [] });
    const call = () => outgoingFetch(`http://tools.example:${port}/`);
    expect((await call()).status).toBe(200);
    await expect(call()).rejects.toEqual(refused('address'));
    expect((await call()).status).toBe(200);
    expect(connections).toBe(2); // none was kept from the first call
  });

  it('asks this machine by its name where loopback is allowed', async () => {
    expect((await fetchHere()(`http://localhost:${port}/`)).status).toBe(200);
  });
});

describe('F312 receivers that misbehave', () => {
  it('F312 answers a redirect as it is, and does not follow it', async () => {
    let redirects = 0;
    const server = createHttpServer((_request, response) => {
      redirects += 1;
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    const answer = await fetchHere()(`http://127.0.0.1:${await portOf(watch(server))}/`);
    expect([answer.status, answer.headers.get('location'), redirects]).toEqual([302, '/elsewhere', 1]);
  });

  const waits: readonly (readonly [string, (socket: Socket) => void])[] = [
    ['says nothing', () => undefined],
    ['stops within its head', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-le')],
    ['stops within its body', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')],
    [
      'sends a byte at a time',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
        const dripping = setInterval(() => socket.write('.'), 20);
        socket.once('close', () => clearInterval(dripping));
      },
    ],
  ];

  it.each(waits)('F312 gives up in time on one that %s', async (_title, answer) => {
    const port = await rawReceiver(answer);
    await expect(fetchHere({ timeoutMs: 200 })(`http://127.0.0.1:${port}/`)).rejects.toEqual(refused('time'));
  });

  it.each([
    ['ends with the call', untilAborted],
    ['never ends', () => new Promise<never>(() => undefined)],
  ])('F312 gives up in time on a name whose look-up %s', async (_title, resolve) => {
    const outgoingFetch = fetchHere({ timeoutMs: 200, resolve });
    await expect(outgoingFetch('https://tools.example/')).rejects.toEqual(refused('time'));
  });

  const broken: readonly (readonly [string, string])[] = [
    ['within its head', 'HTTP/1.1 200 OK\r\ncontent-'],
    ['within its body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'],
    ['within a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nhalf'],
    ['before it says a word', ''],
    ['after what is no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['after a change of protocol', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
    ['after a status that is none', 'HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n'],
    [
      'after a length and chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['after 20 kB of head', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`],
  ];

  it.each(broken)('F312 has no answer of one that closes %s', async (_title, bytes) => {
    const port = await rawReceiver((socket) => void socket.end(bytes));
    await expect(fetchHere()(`http://127.0.0.1:${port}/`)).rejects.toEqual(refused('failed'));
  });

  it.each([
    ['says its length', { 'content-length': '10000000' }],
    ['does not', {}],
  ])('F312 reads no more than it may of one that sends 10 MB and %s', async (_title, headers) => {
    let sent = 0;
    const server = createHttpServer((_request, response) => {
      response.writeHead(200, headers);
      const send = () => {
        while (sent < 10_000_000 && !response.destroyed) {
          sent += 10_000;
          if (!response.write(Buffer.alloc(10_000))) return void response.once('drain', send);
        }
        response.end();
      };
      send();
    });
    const port = await portOf(watch(server));
    await expect(fetchHere({ answerBytesMax: 65_536 })(`http://127.0.0.1:${port}/`)).rejects.toEqual(refused('size'));
    expect(sent).toBeLessThan(10_000_000);
  });

  it('F312 takes an answer of exactly the most bytes', async () => {
    const server = createHttpServer((_request, response) => void response.end(Buffer.alloc(1_000, 'x')));
    const port = await portOf(watch(server));
    const answer = await fetchHere({ answerBytesMax: 1_000 })(`http://127.0.0.1:${port}/`);
    expect((await answer.text()).length).toBe(1_000);
  });

  it('F312 takes the beginning of a longer answer for the whole, if that is asked for', async () => {
    const server = createHttpServer((_request, response) => void response.end(Buffer.alloc(1_001, 'x')));
    const port = await portOf(watch(server));
    const answer = await fetchHere({ answerBytesMax: 1_000, cutsAnswers: true })(`http://127.0.0.1:${port}/`);
    expect((await answer.text()).length).toBe(1_000);
  });

  it('says that nobody listens', async () => {
    const server = watch(createServer());
    const port = await portOf(server);
    await once(server.close(), 'close');
    receivers.length = 0;
    await expect(fetchHere()(`http://127.0.0.1:${port}/`)).rejects.toThrow('ECONNREFUSED');
  });

  it('sends what it is given, and ends with its caller', async () => {
    const seen: string[] = [];
    const server = createHttpServer((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => void seen.push(text));
      request.on('end', () =>
        response.writeHead(204, { 'x-seen': `${request.method} ${String(request.headers['x-a'])}` }).end(),
      );
    });
    const port = await portOf(watch(server));
    const answer = await fetchHere()(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'x-a': 'b' },
      body: '{}',
    });
    expect([answer.status, answer.headers.get('x-seen'), seen]).toEqual([204, 'POST b', ['{}']]);
    const gone = AbortSignal.abort(new Error('the caller left'));
    await expect(fetchHere()(`http://127.0.0.1:${port}/`, { signal: gone })).rejects.toThrow('the caller left');
  });
});

describe('F313 TLS is verified', () => {
  let certificate: Certificate;
  let port: number;

  beforeAll(async () => {
    certificate = (await makeCertificates(['tools'])).tools;
  });

  beforeEach(async () => {
    const { cert, key } = certificate;
    port = await portOf(watch(createHttpsServer({ cert, key }, (_request, response) => void response.end('sealed'))));
  });

  it('F313 takes a certificate of an authority that it trusts, for the name that was called', async () => {
    const outgoingFetch = fetchHere({ ca: certificate.ca });
    expect(await (await outgoingFetch(`https://127.0.0.1:${port}/`)).text()).toBe('sealed');
    expect(await (await outgoingFetch(`https://localhost:${port}/`)).text()).toBe('sealed');
  });

  it('F313 refuses the certificate of another name', async () => {
    const outgoingFetch = fetchHere({ ca: certificate.ca, resolve: async () => ['127.0.0.1'] });
    await expect(outgoingFetch(`https://tools.example:${port}/`)).rejects.toThrow('ERR_TLS_CERT_ALTNAME_INVALID');
  });

  it('F313 refuses an authority that it does not know, whatever the environment says', async () => {
    await expect(fetchHere()(`https://127.0.0.1:${port}/`)).rejects.toEqual(refused('failed'));
    const module = new URL('../../src/outgoing/create-outgoing-fetch.ts', import.meta.url).href;
    const program = `
      const { createOutgoingFetch } = await import('${module}');
      const answer = createOutgoingFetch({ allowsLoopback: true })('https://127.0.0.1:${port}/');
      console.log(await answer.then(({ status }) => 'called ' + status, ({ message }) => message));`;
    const env = { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const flags = ['--conditions=@tollgate/source', '--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, flags, { env });
    expect(stdout.trim()).toBe('The address did not answer (UNABLE_TO_VERIFY_LEAF_SIGNATURE).');
  });
});

function untilAborted(_name: string, signal: AbortSignal): Promise<readonly string[]> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(['127.0.0.1']), { once: true }));
}
