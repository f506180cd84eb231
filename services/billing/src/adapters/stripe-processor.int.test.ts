import { openStripe, stripeSecretKey } from '../testing/open-stripe.ts';
import { describeProcessor, type OpenProcessor } from '../testing/processor.contract.ts';
import { createStripeClient } from './stripe-client.ts';
import { createStripeProcessor } from './stripe-processor.ts';

describeProcessor('Stripe', openStripeProcessor);

async function openStripeProcessor(): Promise<OpenProcessor> {
  const { double, clock } = await openStripe();
  const stripe = createStripeClient({ secretKey: stripeSecretKey, apiUrl: double.baseUrl, timeoutMs: 2_000 });
  return {
    processor: createStripeProcessor({ stripe, clock }),
    answerOnboarding: async ({ url }, answer) => double.people.answerOnboarding(url, answer),
    answerSetup: async ({ url }, answer) => double.people.answerSetup(url, answer),
    nowMs: clock.now,
    close: double.close,
  };
}
