import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { protectedResource, tokenVerifier } from '@tollgate/mcp';
import { Tollgate } from '@tollgate/sdk';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { serveHttp } from '@tollgate/testkit/http-server';
import { buildStandalone, fillDataFolder, startStandalone } from '@tollgate/testkit/standalone-process';
import { decodeJwt, type JWTPayload } from 'jose';
import { openFolder, type Undo } from '../it-with.ts';

/** Tollgate as one starts it, a builder's MCP server that wants a token, and a person who pays. */
export interface OAuthWorld {
  readonly issuer: string;
  readonly serverUrl: string;
  /** The address at which a client's program on this machine hears the browser come back. */
  readonly redirectUrl: string;
  /** The parameters with which a browser came back last. */
  callback(): URLSearchParams | undefined;
  /** The claims of the token with which the server was called last. */
  lastClaims(): JWTPayload | undefined;
  readonly builder: Tollgate;
  readonly consumer: Tollgate;
  readonly person: { readonly email: string; readonly password: string };
}

export async function openOAuthWorld(name: string, undo: Undo): Promise<OAuthWorld> {
  await buildStandalone();
  const [port = 0] = await findFreePorts(1);
  const issuer = `http://127.0.0.1:${port}`;
  const output = (): string => life.output();
  const dataDir = join(openFolder(name, undo, output), 'data');
  const env = { OUTGOING_ALLOW: 'loopback' };
  await fillDataFolder(dataDir);
  const life = startStandalone({ dataDir, args: ['--port', String(port)], env });
  undo(() => life.destroy());
  await life.ready();

  const anybody = new Tollgate({ url: issuer });
  const signUp = async (credentials: OAuthWorld['person']) =>
    anybody.with({ apiKey: (await anybody.auth.register(credentials)).access_token });
  const person = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' };
  const [consumer, builder] = [await signUp(person), await signUp({ ...person, email: `b-${person.email}` })];
  const server = await serveProtected(builder);
  const listener = await serveCallback();
  undo(() => Promise.all([server.close(), listener.close()]));
  await builder.tools.create({ slug: 'forecast', name: 'Weather forecast', price: { per_call_usd: '0.002' } });
  await builder.tools.create({ slug: 'history', name: 'Weather history', price: { per_call_usd: '0.01' } });
  for (const slug of ['forecast', 'history']) await builder.tools.update(slug, { resource: server.url });
  return {
    issuer,
    serverUrl: server.url,
    redirectUrl: `${listener.baseUrl}/callback`,
    callback: listener.last,
    lastClaims: server.lastClaims,
    builder,
    consumer,
    person,
  };
}

/** An MCP server as a builder runs it: it says whose it is, and asks for a token of Tollgate. */
async function serveProtected(tollgate: Tollgate) {
  let claims: JWTPayload | undefined;
  let url = '';
  const { baseUrl, close } = await serveHttp((request, response) => void answer(request, response));
  url = `${baseUrl}/mcp`;
  const resource = protectedResource({ tollgate, resource: url });
  const { verifyAccessToken } = tokenVerifier({
    tollgate,
    resource: url,
    invalidToken: (message) => new Error(message),
  });
  return { url, close, lastClaims: () => claims };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === resource.path) {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(await resource.metadata()));
      return;
    }
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    claims = await verifyAccessToken(token).then(
      (info) => (info.resource?.href === url && info.scopes.includes('tollgate:spend') ? decodeJwt(token) : undefined),
      () => undefined,
    );
    if (claims === undefined) {
      response.writeHead(401, { 'www-authenticate': resource.challenge() }).end();
      return;
    }
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined } as object);
    response.once('close', () => void transport.close());
    await createServer().connect(transport as never); // its own types differ in undefined
    await transport.handleRequest(request, response);
  }
}

function createServer(): McpServer {
  const server = new McpServer({ name: 'weather', version: '1' });
  server.registerTool('forecast', {}, async () => ({ content: [{ type: 'text', text: '12 degrees' }] }));
  return server;
}

async function serveCallback() {
  let last: URLSearchParams | undefined;
  const server = await serveHttp((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname === '/callback') last = url.searchParams;
    response.setHeader('content-type', 'text/html').end('<h1>Back at the program</h1>');
  });
  return { ...server, last: () => last };
}
