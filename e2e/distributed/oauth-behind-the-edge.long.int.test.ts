import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { Tollgate, TollgateError } from '@tollgate/sdk';
import { eventually } from '@tollgate/testkit/eventually';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { createFormBrowser } from '@tollgate/testkit/form-browser';
import { serveHttp } from '@tollgate/testkit/http-server';
import type { ServiceProcess } from '@tollgate/testkit/service-process';
import { registerCodeClient } from '../clients/code-client.ts';
import { describeWithNginx, startEdge } from '../../tools/start-edge.ts';
import { itWith, type Undo } from '../it-with.ts';
import { openShape } from './shape.ts';

describeWithNginx('OAuth behind nginx, with several of auth and of the gateway', () => {
  const it = itWith(async (undo) => {
    const [port = 0] = await findFreePorts(1);
    const issuer = `http://127.0.0.1:${port}`;
    const settings = { PUBLIC_URL: issuer, OUTGOING_ALLOW: 'loopback' };
    const { deployment } = await openShape({ name: 'oauth-behind-the-edge', settings, services: ['billing'] }, undo);
    const auths = [await deployment.add('auth'), await deployment.add('auth')];
    const gateways = [await deployment.add('ingest-gateway'), await deployment.add('ingest-gateway')];
    const services = { auth: auths, 'ingest-gateway': gateways, billing: [deployment.first('billing')] };
    const networkConfig = Object.entries(services).map(toUpstream).join('\n');
    await startEdge({ upstream: 'http://$service', port, networkConfig }, undo);
    return { issuer, auths, gateways, undo };
  }, 240_000);

  it('F359 a token of any auth is refreshed by any other, and once revoked every gateway refuses it', async (opened) => {
    const { issuer, auths, gateways, undo } = opened;
    const { builderKey, person, toolId, resource } = await openMarketAt(issuer, undo);
    const client = await connect(issuer, { person, resource });
    let { access_token: pass, refresh_token: refreshToken } = await client.redeem(issuer);
    for (const { url } of [...auths, ...auths]) {
      const { status, body } = await client.refresh(url, refreshToken);
      expect([url, status]).toEqual([url, 200]);
      ({ access_token: pass, refresh_token: refreshToken } = body);
    }
    const outcomes = () => Promise.all(gateways.map((gateway) => holdAt(gateway, { builderKey, toolId, pass })));
    expect(await outcomes()).toEqual(gateways.map(() => 'open'));
    const form = new URLSearchParams({ token: refreshToken, client_id: client.clientId });
    expect((await fetch(`${issuer}/oauth/revoke`, { method: 'POST', body: form })).status).toBe(200);
    const areAllOut = async () => (await outcomes()).every((outcome) => outcome === 'pass_refused');
    await eventually(areAllOut, { withinMs: 1_000 });
    for (const { url } of auths)
      expect(await client.refresh(url, refreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('F359 the same issuer is discovered at each, however a client asks', async ({ issuer, auths }) => {
    const paths = ['oauth-authorization-server', 'openid-configuration'];
    for (const base of [issuer, issuer, ...auths.map(({ url }) => url)])
      for (const path of paths) {
        const found = await fetch(`${base}/.well-known/${path}`);
        expect(await found.json()).toMatchObject({ issuer, token_endpoint: `${issuer}/oauth/token` });
      }
    const keys = await Promise.all(auths.map(async ({ url }) => (await fetch(`${url}/oauth/jwks`)).json()));
    expect(keys[1]).toEqual(keys[0]);
  });
});

/** nginx takes the servers of a group in turn. */
function toUpstream([name, processes]: readonly [string, readonly ServiceProcess[]]): string {
  return `upstream ${name} { ${processes.map(({ url }) => `server ${new URL(url).host};`).join(' ')} }`;
}

/** A builder whose server proves that it is the builder's, and somebody who pays. */
async function openMarketAt(issuer: string, undo: Undo) {
  const anybody = new Tollgate({ url: issuer });
  const signUp = async () => {
    const person = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' };
    return { person, account: anybody.with({ apiKey: (await anybody.auth.register(person)).access_token }) };
  };
  const [{ account: builder }, { person }] = [await signUp(), await signUp()];
  const { account_id: owner } = await builder.auth.account();
  const server = await serveHttp((_request, response) => {
    const document = { resource, authorization_servers: [issuer], tollgate_account: owner };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  });
  undo(() => server.close());
  const resource = `${server.baseUrl}/mcp`;
  const toolId = `tool-${randomUUID()}`;
  await builder.tools.create({ slug: toolId, name: 'Weather', price: { per_call_usd: '0.01' } });
  await builder.tools.update(toolId, { resource });
  const { key: builderKey = '' } = await builder.apiKeys.create({ name: 'server' });
  return { builderKey, person, toolId, resource };
}

interface Connecting {
  readonly person: { readonly email: string; readonly password: string };
  readonly resource: string;
}

/** A client that registers, and whose person consents: each step at whichever process nginx takes. */
async function connect(issuer: string, { person, resource }: Connecting) {
  const client = await registerCodeClient(issuer, 'Agent', resource);
  const browser = createFormBrowser({ site: issuer, baseUrl: issuer });
  const page = await browser.press(await browser.open(client.authorizeUrl), 'sign_in', person);
  const { leavesTo } = await browser.press(page, 'allow');
  const code = leavesTo?.searchParams.get('code') ?? '';

  return {
    clientId: client.clientId,
    redeem: async (url: string) => (await client.redeem(code, url)).body,
    refresh: (url: string, refreshToken: string) => client.refresh(refreshToken, url),
  };
}

interface Holding {
  readonly builderKey: string;
  readonly toolId: string;
  readonly pass: string;
}

/** The state of the authorization, or the code of its refusal. */
async function holdAt({ url }: ServiceProcess, { builderKey, toolId, pass }: Holding): Promise<string> {
  const builder = new Tollgate({ url, apiKey: builderKey, retries: 0 });
  const asking = builder.spending.authorize({ tool_id: toolId, pass });
  return asking.then(
    ({ state }) => state,
    (error: unknown) => (error instanceof TollgateError ? error.code : String(error)),
  );
}
