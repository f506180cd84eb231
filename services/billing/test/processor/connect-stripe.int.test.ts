import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startStripeDouble, type StripeDouble } from '@tollgate/testkit/stripe-double/start-stripe-double';
import { eventually } from '@tollgate/testkit/eventually';
import { readAccount } from '../support/connect-builder.ts';
import { hearingLog } from '../support/hearing-log.ts';
import { stripeSecretKey } from '../support/open-stripe.ts';
import {
  operatorToken,
  startBilling,
  startOfTests,
  type BillingUnderTest,
  type TestAccount,
} from '../support/start-billing.ts';

const secret = 'whsec_of_these_tests';
const { log, heard } = hearingLog();
let billing: BillingUnderTest;
let double: StripeDouble;
let builder: TestAccount;

beforeAll(async () => {
  double = await startStripeDouble({ secretKey: stripeSecretKey, nowMs: () => Date.parse(startOfTests) });
  const settings = {
    PROCESSOR: 'stripe',
    STRIPE_SECRET_KEY: stripeSecretKey,
    STRIPE_WEBHOOK_SECRET: secret,
    STRIPE_API_URL: double.baseUrl,
  };
  billing = await startBilling({ settings, log });
  double.webhooks.sendTo({ url: `${billing.baseUrl}/v1/webhooks/stripe`, secret });
});

afterAll(async () => {
  await billing.stop();
  await double.close();
});

beforeEach(async () => {
  double.state.platform.isApprovedForTransfers = true;
  builder = await billing.newAccount();
});

const connect = (country?: string) =>
  billing.send<{ detail: string; connect_url: string }>('POST', '/v1/billing/connect', {
    ...builder,
    body: { return_url: 'https://builder.example/back', ...(country !== undefined && { country }) },
  });

/** As on the pages docs.stripe.com/connect/account-capabilities and docs.stripe.com/error-codes. */
describe('POST /v1/billing/connect, while Stripe refuses', () => {
  it('F168 502: the platform is not approved for transfers; it works once it is', async () => {
    double.state.platform.isApprovedForTransfers = false;
    const refused = await connect();
    expect(refused).toMatchObject({ status: 502, body: { code: 'processor_refused' } });
    expect(refused.body.detail).toContain('approve accounts with the capability `transfers`');
    expect(refused.body.detail).toContain('transfers_not_approved in docs/stripe.md');
    const stripe = {
      status: 400,
      request_id: expect.stringMatching(/^req_\d+$/),
      message: expect.stringContaining('needs approval'),
    };
    const reason = { stripe, endpoint: 'POST /v1/accounts', operator_task: 'transfers_not_approved' };
    expect(heard('').find((line) => line['status'] === 502)).toMatchObject({ reason });
    expect(JSON.stringify(heard(''))).not.toContain(stripeSecretKey);
    double.state.platform.isApprovedForTransfers = true;
    expect(await connect()).toMatchObject({ status: 200 });
  });

  it('F168 503: Stripe does not answer', async () => {
    double.faults.script({ at: 'POST /v1/accounts', what: 'cut', effect: 'not_done', times: 3 });
    expect(await connect()).toMatchObject({ status: 503, body: { code: 'processor_unavailable' } });
  });
});

/** As on the pages docs.stripe.com/connect/service-agreement-types and docs.stripe.com/error-codes. */
describe('the country of a builder', () => {
  const accounts = () =>
    [...double.state.accounts.values()].filter(({ metadata }) => metadata['tollgate_account'] === builder.accountId);

  it('goes to Stripe, with the recipient agreement if it is not the platform’s', async () => {
    expect(await connect('US')).toMatchObject({ status: 200 });
    expect(accounts()).toMatchObject([{ country: 'US', tos_acceptance: { service_agreement: 'full' } }]);
    expect(await connect('DE')).toMatchObject({ status: 200 });
    expect(await connect('DE')).toMatchObject({ status: 200 });
    const german = { country: 'DE', tos_acceptance: { service_agreement: 'recipient' } };
    expect(accounts()).toMatchObject([{ country: 'US' }, german]);
  });

  it('400: is one in which Stripe pays nobody', async () => {
    const errors = [{ pointer: '/country', code: 'country_unsupported' }];
    expect(await connect('KP')).toMatchObject({ status: 400, body: { errors } });
  });
});

/** As on the page docs.stripe.com/connect/payouts-connected-accounts. */
describe('a connected account in trouble', () => {
  async function readOfOperator() {
    const path = `/v1/operator/accounts/${builder.accountId}/payout-account`;
    return (await billing.send('GET', path, { token: operatorToken })).body;
  }

  it('F169 shows builder and operator the payout that the bank refused, until one arrives', async () => {
    const { body } = await connect();
    expect(await readOfOperator()).toMatchObject({ details_submitted: false, bank_failure: null });
    double.people.answerOnboarding(body.connect_url, 'complete');
    await eventually(async () => (await readAccount(billing, builder)).processor_connected, { withinMs: 3_000 });
    const connected = (await readAccount(billing, builder)).processor_account_id ?? '';
    double.banks.payOutAccount(connected, 'account_closed');
    const bank_failure = { code: 'account_closed', failed_at: expect.any(String) };
    const isShown = async () => (await readOfOperator()) as { bank_failure: object | null };
    await eventually(async () => (await isShown()).bank_failure !== null, { withinMs: 3_000 });
    expect(await readOfOperator()).toMatchObject({ account_id: builder.accountId, bank_failure });
    expect(await readAccount(billing, builder)).toMatchObject({ payout_enabled: true, bank_failure });
    expect(heard('the bank of a builder refused')).toMatchObject([{ failure_code: 'account_closed' }]);
    double.banks.payOutAccount(connected);
    await eventually(async () => (await isShown()).bank_failure === null, { withinMs: 3_000 });
    const [login] = [await billing.send<{ login_url: string }>('POST', '/v1/billing/account/login-link', builder)];
    expect(login.body.login_url).toContain(connected);
  });
});
