import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { createHttpClient } from '@tollgate/testkit/http-client';
import { moveClockToDay } from '@tollgate/testkit/move-clock-to-day';
import { pressPage } from '@tollgate/testkit/press-button';
import { buildStandalone, fillDataFolder, startStandalone } from '@tollgate/testkit/standalone-process';
import { useOnce } from '@tollgate/testkit/use-world';
import { startReceiver } from './support/receiver.ts';
import { strangersBooks, type Balances } from './support/strangers-books.ts';

const operator = 'the-operator-of-these-tests-nobody-else';
const password = 'correct horse battery';

const world = useOnce(async () => {
  await buildStandalone();
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-books-'));
  chmodSync(folder, 0o711);
  const dataDir = join(folder, 'data');
  await fillDataFolder(dataDir);
  const service = startStandalone({ dataDir, env: { OUTGOING_ALLOW: 'loopback', OPERATOR_TOKEN: operator } });
  const send = createHttpClient(await service.ready());
  const seen = new Set<string>();
  const receiver = await startReceiver((response, { headers }) => {
    const id = headers['webhook-id'] ?? '';
    const isRefused = !seen.has(id) && seen.size % 3 === 0; // it comes again
    seen.add(id);
    response.writeHead(isRefused ? 500 : 204).end();
  });
  return {
    send,
    receiver,
    async stop() {
      await service.destroy();
      await receiver.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});

/** A request that must succeed. */
async function ask<Body>(token: string, method: string, path: string, body?: object): Promise<Body> {
  const answer = await world.send<Body>(method, path, { token, ...(body && { body }) });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

async function register(name: string): Promise<{ readonly token: string; readonly id: string }> {
  const credentials = { email: `${name}@example.com`, password };
  const { access_token: token } = await ask<{ access_token: string }>('', 'POST', '/v1/auth/register', credentials);
  return { token, id: (await ask<{ account_id: string }>(token, 'GET', '/v1/auth/me')).account_id };
}

const back = { return_url: 'https://example.com/' };

async function registerBuilder(slug: string, perCallUsd: string): Promise<void> {
  const { token } = await register(`builder-of-${slug}`);
  await ask(token, 'POST', '/v1/tools', { slug, name: slug, price: { per_call_usd: perCallUsd } });
  const link = await ask<{ connect_url: string }>(token, 'POST', '/v1/billing/connect', back);
  await pressPage(world.send, link.connect_url);
}

/** A consumer with a card on file, that has made these calls. */
async function registerConsumer(name: string, card: string, calls: Readonly<Record<string, number>>) {
  const consumer = await register(name);
  const { token } = consumer;
  const setup = await ask<{ setup_url: string }>(token, 'POST', '/v1/billing/payment-method', back);
  await pressPage(world.send, setup.setup_url, { card });
  await eventually(() => ask(token, 'GET', '/v1/billing/payment-method'), { withinMs: 20_000 });
  for (const [tool, count] of Object.entries(calls)) {
    const events = Array.from({ length: count }, () => ({ tool_id: tool }));
    await ask(token, 'POST', '/v1/events/batch', { events });
  }
  return consumer;
}

interface TrialBalance {
  readonly accounts: readonly { readonly account: string; readonly debit_usd: number; readonly credit_usd: number }[];
}

/** The same balances in the ledger. */
async function ledger(): Promise<Balances> {
  const { accounts } = await ask<TrialBalance>(operator, 'GET', '/v1/operator/trial-balance');
  const debits = (...kinds: readonly string[]) =>
    accounts
      .filter(({ account }) => kinds.includes(account))
      .reduce((total, { debit_usd: debit, credit_usd: credit }) => total + Math.round((debit - credit) * 1_000_000), 0);
  return {
    receivable: debits('receivable'),
    consumer_balance: 0 - debits('consumer_balance'),
    cash: debits('cash', 'processor_fees'),
    earned: 0 - debits('builder_earned', 'builder_payable', 'in_transit', 'platform_fees', 'rounding'),
  };
}

interface Invoices {
  readonly invoices: readonly { readonly id: string; readonly status: string; readonly total_usd: number }[];
}

it('F368 a stranger with standardwebhooks alone books a month to the cent as the ledger has it', async () => {
  const { url, received } = world.receiver;
  const { secret } = await ask<{ secret: string }>(operator, 'POST', '/v1/operator/webhook-endpoints', { url });
  await registerBuilder('dear', '137.35');
  await registerBuilder('cheap', '0.003333');
  await registerConsumer('by-card', 'visa', { dear: 9, cheap: 7 });
  const saver = await registerConsumer('saver', 'visa', { dear: 2, cheap: 100 });
  await ask(saver.token, 'POST', '/v1/billing/top-ups', { amount_usd: 300 });
  const guest = await registerConsumer('guest', 'mastercard', { dear: 1 });
  await ask(operator, 'POST', `/v1/operator/accounts/${guest.id}/credits`, { amount_usd: 100, reason: 'welcome' });
  await registerConsumer('broke', 'declined', { dear: 3, cheap: 50 });
  await registerConsumer('tiny', 'visa', { cheap: 1 }); // carried into the next month

  await moveClockToDay(world.send, operator, 3);
  const listed = async () => (await ask<Invoices>(operator, 'GET', '/v1/operator/invoices')).invoices;
  const isCollected = async () => (await listed()).filter(({ status }) => status === 'paid').length === 3;
  await eventually(isCollected, { withinMs: 60_000 });
  const largest = (await listed())
    .filter(({ status }) => status === 'paid')
    .toSorted((left, right) => right.total_usd - left.total_usd)[0];
  await ask(operator, 'POST', `/v1/operator/invoices/${largest?.id}/refunds`, { amount_usd: 21.07 });
  await moveClockToDay(world.send, operator, 10);
  const payouts = async () =>
    (await ask<{ payouts: { status: string }[] }>(operator, 'GET', '/v1/operator/payouts')).payouts;
  await eventually(async () => (await payouts()).some(({ status }) => status === 'paid'), { withinMs: 60_000 });

  const ownBooks = await ledger();
  const agrees = async () => expect(strangersBooks(secret, received)).toEqual(ownBooks);
  await eventually(() => agrees().then(() => true), { withinMs: 60_000 }).catch(agrees);
  const ids = new Set(received.map(({ headers }) => headers['webhook-id']));
  await eventually(() => received.length > ids.size, { withinMs: 60_000 }); // the refused ones have come again
  await agrees();
  expect(ownBooks.earned).toBeGreaterThan(0);
  expect(ownBooks.receivable).toBeGreaterThan(3 * 137_350_000); // the declined card's invoice
}, 300_000);
