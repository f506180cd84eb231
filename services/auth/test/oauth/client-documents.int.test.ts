import { createServer, type Server } from 'node:https';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createOutgoingFetch } from '@tollgate/runtime/outgoing/create-outgoing-fetch';
import { listenLocally } from '@tollgate/testkit/listen-locally';
import { makeCertificates } from '@tollgate/testkit/make-certificates';
import { authSuite, type AuthUnderTest, type SignedUp } from '../support/auth-under-test.ts';
import { createOAuthClient, issuer, putTool, redirectUri } from '../support/oauth-client.ts';

const suite = authSuite({ settings: { PUBLIC_URL: issuer } });
let auth: AuthUnderTest;
let ada: SignedUp;
let server: Server;
let site = '';
let fetched = 0;

/** Documents by their path. Their client_id is their own address. */
const documents: Readonly<Record<string, object>> = {
  '/agent': {
    client_name: 'Hosted agent',
    redirect_uris: [redirectUri],
    scope: 'admin',
    jwks_uri: 'https://127.0.0.1/keys',
  },
  '/other': { client_name: 'Another', redirect_uris: [redirectUri], client_id: 'https://evil.example/agent' },
  '/keyed': { client_name: 'Keyed', redirect_uris: [redirectUri], token_endpoint_auth_method: 'private_key_jwt' },
  '/large': { client_name: 'Large', redirect_uris: [redirectUri], padding: 'x'.repeat(5_000_000) },
};

beforeAll(async () => {
  const { here } = await makeCertificates(['here']);
  server = createServer({ cert: here.cert, key: here.key }, (request, response) => answer(request.url ?? '', response));
  site = `https://127.0.0.1:${await listenLocally(server)}`;
  const outgoingFetch = createOutgoingFetch({ allowsLoopback: true, ca: here.ca, timeoutMs: 2_000 });
  auth = await suite.startBeside({ settings: { PUBLIC_URL: issuer }, outgoingFetch });
  await putTool(suite, { toolId: 'forecast' });
});
afterAll(() => server.close().closeAllConnections());
beforeEach(async () => {
  ada = await suite.signUp();
  fetched = 0;
});

function answer(path: string, response: ServerResponse): void {
  fetched += 1;
  if (path === '/redirect') return void response.writeHead(302, { location: `${site}/agent` }).end();
  if (path === '/hangs') return;
  const document = JSON.stringify({ client_id: site + path, ...documents[path] });
  response.setHeader('content-type', 'application/json').end(document);
}

describe('F308 a client whose id is the address of its document', () => {
  it('needs no registration, and its host is on the page', async () => {
    const client = await createOAuthClient(auth, { clientId: `${site}/agent` });
    const page = await client.signIn(ada);
    expect(page.text).toContain('Let Hosted agent spend your money?');
    expect(page.text).toContain(`<dd>${new URL(site).host} (not verified)</dd>`);
    const done = await client.browser.press(page, 'allow');
    const { status, body } = await client.redeem(done.leavesTo?.searchParams.get('code'));
    expect([status, body.scope]).toEqual([200, 'tollgate:spend']);
    expect((await client.refresh(body.refresh_token)).status).toBe(200);
    expect(fetched).toBe(1); // once, and remembered for a while
  });

  it.each(['/other', '/keyed', '/large', '/redirect', '/hangs'])(
    'is refused where its document is %s',
    async (path) => {
      const client = await createOAuthClient(auth, { clientId: site + path });
      const page = await client.browser.open(client.authorizeUrl());
      expect([page.status, page.text]).toEqual([400, expect.stringContaining('This request does not work')]);
      expect(fetched).toBeLessThanOrEqual(2); // the library looks again before it shows the page
    },
  );

  it('is not fetched from this machine or a private place, nor by http', async () => {
    const ids = [`${site}/agent`, 'https://localhost/agent', 'https://10.0.0.1/agent', 'https://[::1]/agent'];
    for (const clientId of [...ids, 'https://169.254.169.254/latest', `http://example.com/agent`, `${site}/../agent`]) {
      const client = await createOAuthClient(suite, { clientId });
      expect((await client.browser.open(client.authorizeUrl())).status).toBe(400);
    }
    expect(fetched).toBe(0);
  });

  it('is fetched as often as an address may register, and not at all where the operator says so', async () => {
    const settings = { PUBLIC_URL: issuer, OUTGOING_ALLOW: 'loopback' };
    const metadataOf = async (service: AuthUnderTest) =>
      (await fetch(`${service.baseUrl}/.well-known/oauth-authorization-server`)).json();
    const off = await suite.startBeside({ settings: { ...settings, OAUTH_CLIENT_ID_METADATA: 'off' } });
    const client = await createOAuthClient(off, { clientId: `${site}/agent` });
    expect((await client.browser.open(client.authorizeUrl())).status).toBe(400);
    expect(fetched).toBe(0);
    expect([await metadataOf(auth), await metadataOf(off)]).toMatchObject([
      { client_id_metadata_document_supported: true },
      expect.not.objectContaining({ client_id_metadata_document_supported: true }),
    ]);
    const few = await suite.startBeside({ settings: { ...settings, OAUTH_CLIENTS_PER_ADDRESS_PER_MINUTE: '2' } });
    for (const path of ['/a', '/b', '/c', '/d']) {
      const each = await createOAuthClient(few, { clientId: site + path });
      await each.browser.open(each.authorizeUrl());
    }
    expect(fetched).toBeLessThanOrEqual(2);
  });
});
