import { expect } from '@jest/globals';
import { createHttpClient } from '@tollgate/testkit/http-client';
import type { Page } from 'playwright-core';
import { formatUsd } from '../../packages/console/src/patterns/format-usd.ts';
import { describeWithChromium, looks } from '../chromium.ts';
import { itWith } from '../it-with.ts';
import { type ClosedMonth, closeMonth } from './close-month.ts';
import { type ConsoleWorld, openConsoleWorld, password } from './console-world.ts';
import { keepPicture } from './keep-picture.ts';
import { changeDatabase, codesOf, grantOperator, openOperator, signInOperator } from './open-operator.ts';
import { expectUsable, showPages, watchPage } from './watch-page.ts';

interface OperatorWorld extends ConsoleWorld {
  readonly month: ClosedMonth;
  /** A page of an account of the operator, with its second factor shown. */
  openPage(look?: object): Promise<{ readonly page: Page; readonly nextCode: () => string }>;
}

describeWithChromium('the console of the operator', () => {
  const it = itWith<OperatorWorld>(async (undo) => {
    const world = await openConsoleWorld(undo);
    const month = await closeMonth(world);
    const openPage = async (look: object = {}) => {
      const operator = await openOperator(world);
      const page = await (await world.browser.newContext(look)).newPage();
      await signInOperator(page, world, operator);
      return { page, nextCode: operator.nextCode };
    };
    return { ...world, month, openPage };
  });

  it('shows its pages to an account of the operator alone', async (world) => {
    const { email } = await world.signUp();
    const page = await world.browser.newPage();
    await page.goto(`${world.baseUrl}/app/operator/accounts`);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Only for operators' }).waitFor();
    expect(await page.getByRole('link', { name: 'Reconcile' }).count()).toBe(0);
    await expectUsable(page, 'operator-not-one');
    await page.close();
  });

  it('sets up the second factor that an account of the operator needs', async (world) => {
    const { email } = await world.signUp();
    grantOperator(world, email);
    const page = await world.browser.newPage();
    await page.goto(`${world.baseUrl}/app/operator`);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Second factor' }).waitFor();
    await page.getByLabel('Password').fill(password);
    await expectUsable(page, 'operator-factor-begin');
    await page.getByRole('button', { name: 'Begin' }).click();
    const nextCode = codesOf(await page.locator('pre').innerText());
    await page.getByRole('textbox', { name: 'Code' }).fill(nextCode());
    await expectUsable(page, 'operator-factor-confirm');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('The list of recovery codes is shown this once.').waitFor();
    await expectUsable(page, 'operator-factor-codes');
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    await page.close();
  });

  it('draws the way of a month’s money, with the ledger’s sums in a table, and says how long the disk lasts', async (world) => {
    const { page } = await world.openPage();
    await page.getByText(/ of .* are free/).waitFor();
    await page.getByText('not known: PUBLIC_URL is not https').waitFor();
    await page.getByRole('link', { name: 'See the way of the money' }).click();
    await page.getByRole('row', { name: /^Owed before \$40\.00 / }).waitFor();
    const { body: path } = await createHttpClient(world)<Record<string, number | string>>(
      'GET',
      `/v1/operator/money-path?period=${monthAfter(world.month.period)}`,
      { token: world.operatorToken },
    );
    const table = page.getByRole('table', { name: 'From charges to payouts' });
    for (const [name, sum] of [
      ['Paid by card', path['paid_by_card_usd']],
      ['Platform fees', path['platform_fees_usd']],
      ['Earned by builders', path['earnings_usd']],
      ['Paid out', path['paid_out_usd']],
    ] as const)
      await table.getByRole('row', { name: `${name} ${formatUsd(sum ?? Number.NaN)}` }).waitFor();
    expect(path).toMatchObject({ owed_before_usd: 40, charged_usd: 0, paid_usd: 40, owed_after_usd: 0 });
    await page.getByText(`Paid out ${formatUsd(path['paid_out_usd'] ?? Number.NaN)}`).waitFor();
    await page.goto(`${world.baseUrl}/app/operator/money?period=${world.month.period}`);
    await page.getByRole('row', { name: /^Charged \$40\.00 / }).waitFor();
    await page.goto(`${world.baseUrl}/app/operator/money?period=2024-01`);
    await page.getByText('No money was booked in 2024-01, and none is owed from before.').waitFor();
    await page.close();
  });

  it('suspends and resumes an account, and says first what that does', async (world) => {
    const { client, email } = await world.signUp();
    const { key = '' } = await client.apiKeys.create({ name: 'program' });
    const { page } = await world.openPage();
    await page.getByRole('link', { name: 'Accounts' }).click();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('E-mail').press('Enter');
    await page.getByRole('link', { name: email }).click();
    await page.getByRole('button', { name: 'Suspend account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('all of its tokens, keys and passes are refused').waitFor();
    await dialog.getByLabel('Reason').fill('stolen card');
    await expectUsable(page, 'operator-suspend');
    await dialog.getByRole('button', { name: 'Suspend account' }).click();
    await page.getByText('stolen card').waitFor();
    await expect(client.with({ apiKey: key }).usage.get()).rejects.toThrow('account_suspended');
    await page.getByRole('button', { name: 'Resume account' }).click();
    await dialog.getByRole('button', { name: 'Resume account' }).click();
    await page.getByText('active', { exact: true }).waitFor();
    await client.with({ apiKey: key }).usage.get();
    await page.context().close();
  });

  it('F366 refunds only what was looked at twice, with a code that is fresh', async (world) => {
    const { invoiceId } = world.month;
    const { page, nextCode } = await world.openPage();
    await page.goto(`${world.baseUrl}/app/operator/invoices/${invoiceId}`);
    const title = await page.getByRole('heading', { level: 1, name: /^Invoice \d+$/ }).innerText();
    const number = title.replace('Invoice ', '');
    await page.getByRole('button', { name: 'Refund invoice' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('US dollars').fill('1.50');
    const typed = dialog.getByLabel(`Type the number of the invoice: ${number}`);
    await typed.fill(`${number}0`);
    const refund = dialog.getByRole('button', { name: 'Refund invoice' });
    await refund.click();
    await dialog.getByText('Nothing was changed').waitFor();
    await changeDatabase(
      world,
      `update auth.session_cookie set second_factor_at = second_factor_at - interval '1 hour'`,
    );
    await typed.fill(number);
    await refund.click();
    await dialog.getByText('This needs a code of your second factor from the last 15 minutes.').waitFor();
    await expectUsable(page, 'operator-refund-code');
    expect(await refundsOf(world, invoiceId)).toBe(0);
    await dialog.getByRole('textbox', { name: 'Code of your second factor' }).fill(nextCode());
    await refund.click();
    await page.getByRole('row', { name: /\$1\.50 operator/ }).waitFor();
    expect(await refundsOf(world, invoiceId)).toBe(1);
    await page.context().close();
  });

  it('reconciles a month in green steps, and shows what differs in red', async (world) => {
    const { page } = await world.openPage();
    await page.getByRole('link', { name: 'Reconcile' }).first().click();
    await page.getByLabel('Month').fill(world.month.period);
    await page.getByRole('button', { name: 'Reconcile' }).click();
    await page.getByText(/^All \d+ steps of \d{4}-\d\d are equal\.$/).waitFor({ timeout: 60_000 });
    await page.getByRole('region', { name: 'Ledger and processor' }).getByText('equal').waitFor();
    await expectUsable(page, 'operator-reconcile-green');
    await keepPicture(page, 'console-reconcile');
    await changeDatabase(world, 'update usage.rollup set calls = calls + 1');
    await page.getByRole('button', { name: 'Compare again' }).click();
    await page.getByText(/^\d+ of \d+ steps of \d{4}-\d\d differ\.$/).waitFor({ timeout: 60_000 });
    await page.getByRole('region', { name: 'Events and counts' }).getByText('differs', { exact: true }).waitFor();
    await expectUsable(page, 'operator-reconcile-red');
    await changeDatabase(world, 'update usage.rollup set calls = calls - 1');
    await page.context().close();
  });

  it('keeps nobody out, on a phone and on a desk, by day and by night', async (world) => {
    await prepareTrouble(world);
    for (const [width, colorScheme] of process.env['SCREENSHOTS'] === undefined ? looks.slice(0, 2) : looks) {
      const { page } = await world.openPage({ viewport: { width, height: 900 }, colorScheme });
      const watched = watchPage(page, world.baseUrl);
      await showPages(page, { baseUrl: world.baseUrl, pages: pagesOf(world.month), width, colorScheme });
      watched.expectOwnRequests();
      await page.context().close();
    }
  }, 600_000);
});

/** An order of unknown outcome, a dead letter and a scripted failure: rows for the lists. */
async function prepareTrouble(world: OperatorWorld): Promise<void> {
  const send = createHttpClient(world);
  const { operatorToken: token } = world;
  await send('POST', '/v1/sandbox/failures', {
    token,
    body: { on: 'refund', failure: 'timeout_before_effect', times: 50 },
  });
  const refund = { token, body: { amount_usd: 0.5 }, headers: { 'idempotency-key': 'refund' } };
  await send('POST', `/v1/operator/invoices/${world.month.invoiceId}/refunds`, refund);
  await changeDatabase(
    world,
    `insert into usage.dead_letter (topic, partition, log_offset, code, reason, stored_at, record)
     values ('usage.events.v1', 0, 1000000, 'unreadable', 'The record is no JSON.', now(), 'no event')`,
  );
}

async function refundsOf(world: OperatorWorld, invoiceId: string): Promise<number> {
  const { body } = await createHttpClient(world)<{ total: number }>(
    'GET',
    `/v1/operator/invoices/${invoiceId}/refunds`,
    {
      token: world.operatorToken,
    },
  );
  return body.total;
}

const pagesOf = ({ period, consumer, invoiceId, payoutId }: ClosedMonth) => ({
  'operator-today': '/operator',
  'operator-accounts': '/operator/accounts',
  'operator-accounts-empty': '/operator/accounts?email=nobody@example.com',
  'operator-account': `/operator/accounts/${consumer.id}`,
  'operator-account-missing': '/operator/accounts/0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b',
  'operator-invoices': '/operator/invoices',
  'operator-invoices-empty': '/operator/invoices?status=void',
  'operator-invoices-refused': '/operator/invoices?period=soon',
  'operator-invoice': `/operator/invoices/${invoiceId}`,
  'operator-invoice-missing': '/operator/invoices/0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b',
  'operator-payouts': '/operator/payouts',
  'operator-payouts-empty': '/operator/payouts?status=failed',
  'operator-payout': `/operator/payouts/${payoutId}`,
  'operator-unknown-outcomes': '/operator/unknown-outcomes',
  'operator-dead-letters': '/operator/dead-letters',
  'operator-dead-letters-empty': '/operator/dead-letters?code=none',
  'operator-dead-letter': '/operator/dead-letters/usage.events.v1:0:1000000',
  'operator-money': `/operator/money?period=${monthAfter(period)}`,
  'operator-money-none': '/operator/money?period=2024-01',
  'operator-period': `/operator/period?period=${period}`,
  'operator-period-now': '/operator/period',
  'operator-reconcile': '/operator/reconcile',
  'operator-reconcile-done': `/operator/reconcile?period=${period}&keys=all`,
  'operator-sandbox': '/operator/sandbox',
});

function monthAfter(period: string): string {
  const [year = 0, month = 0] = period.split('-').map(Number);
  return new Date(Date.UTC(year, month)).toISOString().slice(0, 7);
}
