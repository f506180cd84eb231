import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { listenLocally } from '@tollgate/testkit/listen-locally';
import { makeCertificates } from '@tollgate/testkit/make-certificates';
import type { Browser, Page } from 'playwright-core';
import { npm } from '../../tools/release/pack-package.ts';
import { describeWithChromium, openChromium } from '../chromium.ts';
import { itWith, openFolder, type Undo } from '../it-with.ts';
import { openOAuthListeners, type OAuthMarket } from './oauth-listeners.ts';
import { openPython } from './python-environment.ts';
import { beginInspector, beginMcpRemote, beginPython, findPort, type StrangeClient } from './strange-clients.ts';

const packages = ['mcp-remote@0.15.1', '@modelcontextprotocol/inspector@2.12.0'];
const patienceMs = 240_000;
const approvalPage = /http:\S+?\/approvals\/[\w-]+/;

describeWithChromium('a client of somebody else, from nothing', () => {
  const it = itWith(async (undo) => {
    const folder = openFolder('strange-clients', undo);
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    npm(folder, ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', ...packages]);
    const python = await openPython(undo, ['mcp==2.3.0']);
    const documents = await serveDocuments(folder, undo);
    const settings = { NODE_EXTRA_CA_CERTS: documents.authority };
    const listeners = await openOAuthListeners('strange-clients', undo, settings);
    const browser = await openChromium(undo);
    const clients = {
      'mcp-remote, which registers': { begin: beginMcpRemote(folder), hasDocument: false },
      'the inspector, which registers': { begin: beginInspector(folder), hasDocument: false },
      'the inspector with a metadata document': { begin: beginInspector(folder), hasDocument: true },
      'the Python client, which registers': { begin: beginPython(python), hasDocument: false },
      'the Python client with a metadata document': { begin: beginPython(python), hasDocument: true },
    } as const;
    async function begin(name: keyof typeof clients) {
      const market = await listeners.open();
      const port = await findPort();
      const home = join(folder, `home-${port}`);
      mkdirSync(home);
      const { begin: beginOne, hasDocument } = clients[name];
      const document = hasDocument ? documents.add(port) : undefined;
      return { market, browser, client: beginOne({ url: market.url, home, undo, port, document }) };
    }
    return { begin };
  }, patienceMs);

  for (const name of [
    'mcp-remote, which registers',
    'the inspector, which registers',
    'the inspector with a metadata document',
    'the Python client, which registers',
    'the Python client with a metadata document',
  ] as const)
    it(
      `F357 pays to its cap, beyond it by an approval, and is out when its pass is revoked: ${name}`,
      async ({ begin }) => {
        const { market, browser, client } = await begin(name);
        await consent(browser, await client.opened(), market);
        expect(await client.call()).toContain('Oslo');
        expect(await client.call()).toContain('Oslo');
        const refused = await client.call();
        expect(refused).toContain('spending_cap_reached');
        expect(refused).toMatch(approvalPage);
        await approve(browser, approvalPage.exec(refused)?.[0] ?? '', market);
        expect(await client.call()).toContain('Oslo');
        const [pass] = await market.consumer.passes.list().toArray();
        await eventually(async () => (await market.consumer.passes.get(pass?.id ?? '')).spent_usd === 0.03, {
          withinMs: 10_000,
        });
        await market.consumer.passes.update(pass?.id ?? '', { cap: { amount_usd: 5, window: 'month' } });
        await market.consumer.passes.delete(pass?.id ?? '');
        await new Promise((resolve) => setTimeout(resolve, 1_000)); // the promise: felt within a second
        expect(await lastCall(client)).not.toContain('"Oslo"');
        expect((await market.consumer.usage.get()).totals.successes).toBe(3);
      },
      patienceMs,
    );
});

/** A client that is out may ask its person again, and wait for that. */
async function lastCall(client: StrangeClient): Promise<string> {
  const tooLong = new Promise<string>((resolve) => setTimeout(() => resolve('it waits for its person'), 20_000));
  return Promise.race([client.call(), tooLong]);
}

async function signIn(page: Page, { person }: OAuthMarket): Promise<void> {
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function consent(browser: Browser, url: string, market: OAuthMarket): Promise<void> {
  const page = await browser.newPage();
  await page.goto(url);
  await signIn(page, market);
  await page.locator('input[name=cap_usd]').fill('0.02');
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL((address) => address.port !== new URL(market.issuer).port);
  await page.close();
}

async function approve(browser: Browser, url: string, market: OAuthMarket): Promise<void> {
  const page = await browser.newPage();
  await page.goto(url);
  await signIn(page, market);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('heading', { name: 'Approved' }).waitFor();
  await page.close();
}

/** Metadata documents of clients, over https as they must be. */
async function serveDocuments(folder: string, undo: Undo) {
  const { here } = await makeCertificates(['here']);
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, here.ca);
  const server = createServer({ cert: here.cert, key: here.key }, (request, response) => {
    const port = (request.url ?? '').slice(1);
    const document = {
      client_id: `${site}/${port}`,
      client_name: 'Agent with a document',
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
      token_endpoint_auth_method: 'none',
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  });
  const site = `https://127.0.0.1:${await listenLocally(server)}`;
  undo(() => server.close().closeAllConnections());
  return { authority, add: (port: number) => `${site}/${port}` };
}
