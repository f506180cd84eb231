import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startStripeDouble, type StripeDouble } from '@tollgate/testkit/stripe-double/start-stripe-double';
import { hearingLog } from '../support/hearing-log.ts';
import { stripeSecretKey } from '../support/open-stripe.ts';
import { startBilling, startOfTests, type BillingUnderTest, type TestAccount } from '../support/start-billing.ts';

const { log, heard } = hearingLog();
let billing: BillingUnderTest;
let double: StripeDouble;
let builder: TestAccount;

beforeAll(async () => {
  double = await startStripeDouble({ secretKey: stripeSecretKey, nowMs: () => Date.parse(startOfTests) });
  const settings = {
    PROCESSOR: 'stripe',
    STRIPE_SECRET_KEY: stripeSecretKey,
    STRIPE_WEBHOOK_SECRET: 'whsec_of_these_tests',
    STRIPE_API_URL: double.baseUrl,
  };
  billing = await startBilling({ settings, log });
});

afterAll(async () => {
  await billing.stop();
  await double.close();
});

beforeEach(async () => {
  double.state.platform.isApprovedForTransfers = true;
  builder = await billing.newAccount();
});

const connect = () =>
  billing.send<{ detail: string; connect_url: string }>('POST', '/v1/billing/connect', {
    ...builder,
    body: { return_url: 'https://builder.example/back' },
  });

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
