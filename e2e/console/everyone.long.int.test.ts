import { createServer } from 'node:http';
import { expect } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { decodeQR } from 'qr/decode.js';
import { describeWithChromium, looks } from '../chromium.ts';
import { itWith, type Undo } from '../it-with.ts';
import { connectClient } from './connect-client.ts';
import { openConsoleWorld, password } from './console-world.ts';
import { fillSignIn, signIn } from './sign-in.ts';
import { expectUsable, showPages, watchPage } from './watch-page.ts';

describeWithChromium('the pages of everyone', () => {
  const it = itWith(async (undo) => ({ ...(await openConsoleWorld(undo)), receiver: await openReceiver(undo) }));

  it('end another session, which is signed out', async (world) => {
    const { email } = await world.signUp();
    const [mine, other] = [await signIn(world, email), await signIn(world, email)];
    await mine.goto(`${world.baseUrl}/app/security`);
    await mine.getByRole('row', { name: /A browser, this one/ }).waitFor();
    await mine
      .getByRole('row', { name: /^A browser [A-Z]/ })
      .getByRole('button')
      .click();
    await confirm(mine, 'End session', 'Within a second the browser is signed out.');
    await other.getByText('Your session has ended.').waitFor();
    await mine.getByRole('row', { name: /^A browser [A-Z]/ }).waitFor({ state: 'detached' });
    await Promise.all([mine.context().close(), other.context().close()]);
  });

  it('set up a second factor, whose codes a sign-in then needs, and turn it off', async (world) => {
    const { email } = await world.signUp();
    const page = await signIn(world, email);
    await page.goto(`${world.baseUrl}/app/security`);
    await page.getByLabel('Password', { exact: true }).first().fill(password);
    await page.getByRole('button', { name: 'Set up' }).click();
    const uri = await page.getByRole('link', { name: 'open it there' }).getAttribute('href');
    const secret = new URL(uri ?? '').searchParams.get('secret') ?? '';
    const totp = new TOTP({ secret });
    await page.getByLabel('Code', { exact: true }).fill(totp.generate());
    await page.getByRole('button', { name: 'Turn on' }).click();
    const codes = page.getByRole('status').filter({ hasText: 'The list of recovery codes is shown this once.' });
    const [recovery = ''] = /[0-9A-Z]{6}(?:-[0-9A-Z]{6}){3}/.exec((await codes.textContent()) ?? '') ?? [];
    await page.getByText('enabled', { exact: true }).waitFor();
    const again = await world.browser.newPage();
    await again.goto(`${world.baseUrl}/app`);
    await fillSignIn(again, email);
    await again.getByLabel('Code of your second factor').fill(recovery);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.getByRole('heading', { name: 'This month' }).waitFor();
    await again.goto(`${world.baseUrl}/app/security`);
    await again.getByText('Recovery codes left').waitFor();
    const off = again.locator('form').filter({ has: again.getByRole('button', { name: 'Turn off' }) });
    await off.getByLabel('Password', { exact: true }).fill(password);
    await off.getByRole('textbox', { name: 'Code' }).fill('000000');
    await off.getByRole('button', { name: 'Turn off' }).click();
    await off.getByRole('alert').waitFor();
    const [, next = ''] = [...((await codes.textContent()) ?? '').matchAll(/[0-9A-Z]{6}(?:-[0-9A-Z]{6}){3}/g)].map(
      String,
    );
    await off.getByRole('textbox', { name: 'Code' }).fill(next);
    await off.getByRole('button', { name: 'Turn off' }).click();
    await again.getByText('It is off: the password alone signs you in.').waitFor();
    await Promise.all([page.context().close(), again.context().close()]);
  });

  it('F375 show the secret of a second factor as a code that a camera reads, and as text', async (world) => {
    const { email } = await world.signUp();
    const page = await signIn(world, email);
    const watched = watchPage(page, world.baseUrl);
    await page.goto(`${world.baseUrl}/app/security`);
    await page.getByLabel('Password', { exact: true }).first().fill(password);
    await page.getByRole('button', { name: 'Set up' }).click();
    const code = page.getByRole('img', { name: 'QR code of the secret' });
    await code.waitFor();
    const uri = await page.getByRole('link', { name: 'open it there' }).getAttribute('href');
    expect(decodeQR(await pixelsOf(page))).toBe(uri);
    await page.getByText(new URL(uri ?? '').searchParams.get('secret') ?? '', { exact: true }).waitFor();
    for (const [width, scheme] of chosenLooks()) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme });
      await expectUsable(page, `second-factor-code-${width}-${scheme}`);
    }
    watched.expectOwnRequests();
    await page.context().close();
  });

  it('F374 list the clients that may spend, and revoke one, which is refused within a second', async (world) => {
    const { baseUrl, browser, resource, builder, slug } = world;
    const { email } = await world.signUp();
    const page = await signIn(world, email);
    await page.goto(`${baseUrl}/app/consents`);
    await page.getByText('No client may spend.').waitFor();
    await expectUsable(page, 'consents-empty');
    const theirs = await (await browser.newContext()).newPage();
    const client = await connectClient(theirs, { issuer: baseUrl, resource, email });
    const ask = () =>
      builder.spending.authorize({ tool_id: slug, pass: client.accessToken }).then(
        () => 'taken',
        ({ code }: { readonly code: string }) => code,
      );
    expect(await ask()).toBe('taken');
    await page.reload();
    await page.getByRole('row', { name: /^Weather agent.* \$5\.00 a month/ }).waitFor();
    for (const [width, scheme] of chosenLooks()) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme });
      await expectUsable(page, `consents-${width}-${scheme}`);
    }
    await page.getByRole('button', { name: 'Revoke consent' }).press('Enter');
    await confirm(page, 'Revoke consent', 'Within a second Weather agent is refused everywhere');
    await eventually(async () => (await ask()) === 'pass_refused', { withinMs: 1_000 });
    expect(await client.refresh()).toBe(400);
    await page.getByText('No client may spend.').waitFor();
    await Promise.all([page.context().close(), theirs.context().close()]);
  });

  it('change the password, and say of a wrong one that it is', async (world) => {
    const { email } = await world.signUp();
    const page = await signIn(world, email);
    await page.goto(`${world.baseUrl}/app/security`);
    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill('another horse battery');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Current password').fill(password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The password is changed, and all other sessions have ended.').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill('another horse battery');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'This month' }).waitFor();
    await page.context().close();
  });

  it('show each attempt to tell an endpoint, and redeliver', async (world) => {
    const { email, client } = await world.signUp();
    await client.webhookEndpoints.create({ url: world.receiver.url });
    const page = await signIn(world, email);
    await page.goto(`${world.baseUrl}/app/webhooks`);
    await page.getByRole('button', { name: 'Send test' }).click();
    await confirm(page, 'Send test', 'gets an event of the type webhook.test');
    await page.getByRole('link', { name: 'webhook.test' }).click();
    await page.getByRole('row', { name: /^1 http.* 500: not yet/ }).waitFor();
    world.receiver.accept();
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await confirm(page, 'Redeliver', 'Its id stays the same');
    await page.getByRole('row', { name: /^2 http.* 200/ }).waitFor();
    await page.getByText('delivered', { exact: true }).waitFor();
    await page.context().close();
  });

  it('set up a card on the page of the processor, top the balance up, and keep it filled', async (world) => {
    const { email, client } = await world.signUp();
    const page = await signIn(world, email);
    await page.goto(`${world.baseUrl}/app/payment`);
    await page.getByRole('button', { name: 'Set up a payment method' }).click();
    await page.waitForURL(({ pathname }) => !pathname.startsWith('/app')); // the page of the sandbox
    await page.getByRole('button').first().click();
    await page.getByText(/visa ending in 4242/).waitFor();
    expect(page.url()).toBe(`${world.baseUrl}/app/payment`);
    await page.getByLabel('Amount in US dollars').fill('0.5');
    await page.getByRole('button', { name: 'Top up' }).click();
    await page.getByText('must be from 1 to 10,000 dollars').first().waitFor();
    await page.getByLabel('Amount in US dollars').fill('50');
    await page.getByRole('button', { name: 'Top up' }).click();
    await page.getByRole('row', { name: /succeeded you \$50\.00/ }).waitFor();
    expect((await client.billing.balance()).balance_usd).toBe(50);
    for (const [label, usd] of [
      ['Below, in US dollars', '10'],
      ['Charge, in US dollars', '25'],
      ['At most in a month', '100'],
    ] as const)
      await page.getByLabel(label).fill(usd);
    await page.getByRole('button', { name: 'Set automatic top-up' }).click();
    await page.getByText('It charged $0.00 this month.').waitFor();
    await page.getByRole('button', { name: 'Remove automatic top-up' }).click();
    await confirm(page, 'Remove automatic top-up', 'The balance is filled no more by itself.');
    await page.getByText('There is none. One charges').waitFor();
    await page.context().close();
  });

  it('compute with the price of a tool of the catalogue, by the service', async (world) => {
    const { email } = await world.signUp();
    const page = await signIn(world, email);
    await page.goto(`${world.baseUrl}/app/catalogue/${world.slug}`);
    await page.getByLabel('Calls in a month').fill('1234567');
    await page.getByRole('row', { name: '1,234,567 $12,345.67' }).waitFor();
    await page.context().close();
  });

  it('keep nobody out', async (world) => {
    const { email, client } = await world.signUp();
    await client.webhookEndpoints.create({ url: world.receiver.url });
    const { webhook_endpoints: endpoints } = await client.webhookEndpoints.list();
    for (const { id } of endpoints) await client.webhookEndpoints.test(id);
    const events = async () => (await client.webhookEvents.list().firstPage()).webhook_events;
    await eventually(async () => (await events()).length > 0, { withinMs: 10_000 });
    const [event] = await events();
    const pages = {
      security: '/security',
      payment: '/payment',
      catalogue: '/catalogue',
      offer: `/catalogue/${world.slug}`,
      'webhooks-told': '/webhooks',
      'webhook-event': `/webhook-events/${event?.id}`,
      'webhook-event-missing': '/webhook-events/0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b',
    };
    for (const [width, colorScheme] of chosenLooks()) {
      const page = await signIn(world, email, { viewport: { width, height: 900 }, colorScheme });
      const watched = watchPage(page, world.baseUrl);
      await showPages(page, { baseUrl: world.baseUrl, pages, width, colorScheme });
      watched.expectOwnRequests();
      await page.context().close();
    }
  }, 600_000);
});

function chosenLooks() {
  return process.env['SCREENSHOTS'] === undefined ? looks.slice(0, 2) : looks;
}

const sizePx = 256;

/** The pixels of the code as the browser draws it. */
async function pixelsOf(page: Page) {
  const drawn = await page.evaluate<string>(`(async () => {
    const svg = document.querySelector('svg[aria-label="QR code of the secret"]').cloneNode(true);
    svg.setAttribute('width', ${sizePx});
    svg.setAttribute('height', ${sizePx});
    const image = new Image();
    image.src = 'data:image/svg+xml,' + encodeURIComponent(new XMLSerializer().serializeToString(svg));
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: ${sizePx}, height: ${sizePx} });
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, ${sizePx}, ${sizePx});
    return Array.from({ length: data.length / 4 }, (_, pixel) => (data[pixel * 4] < 128 ? '#' : ' ')).join('');
  })()`);
  const data = Array.from(drawn, (pixel) => (pixel === '#' ? [0, 0, 0, 255] : [255, 255, 255, 255])).flat();
  return { width: sizePx, height: sizePx, data: Uint8Array.from(data) };
}

/** Reads the consequences of an act, and goes on. */
async function confirm(page: Page, label: string, says: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: `${label}?` });
  await dialog.getByText(says).waitFor();
  await dialog.getByRole('button', { name: label }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** An endpoint that fails until it is told to accept. */
async function openReceiver(undo: Undo) {
  let status = 500;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(status).end(status === 500 ? 'not yet' : 'thanks'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}/hooks`, accept: () => void (status = 200) };
}
