import { openStripe, stripeSecretKey } from '../support/open-stripe.ts';
import { describeMovements, type OpenMovements } from '../support/movements.contract.ts';
import { describeProcessor } from '../support/processor.contract.ts';
import { createStripeClient } from '../../src/processor/stripe/stripe-client.ts';
import { createStripeProcessor } from '../../src/processor/stripe/stripe-processor.ts';

describeProcessor('Stripe', openStripeProcessor);
describeMovements('Stripe', openStripeProcessor);

const paths = { charge: '/v1/payment_intents', refund: '/v1/refunds', transfer: '/v1/transfers' };
const triesMax = 3;

async function openStripeProcessor(): Promise<OpenMovements> {
  const { double, clock } = await openStripe();
  const { people, banks, faults } = double;
  const stripe = createStripeClient({ secretKey: stripeSecretKey, apiUrl: double.baseUrl, timeoutMs: 2_000 });
  const processor = createStripeProcessor({ stripe, clock });
  banks.setBalance(1_000_000);
  return {
    processor,
    answerOnboarding: async ({ url }, answer) => people.answerOnboarding(url, answer),
    answerSetup: async ({ url }, answer) => people.answerSetup(url, answer),
    async makeCardDecline(processorCustomerId) {
      const card = await processor.customers.readPaymentMethod(processorCustomerId);
      banks.answerCard(card?.paymentMethodId ?? '', { declineCode: 'generic_decline' });
    },
    loseNextAnswer: async (kind) =>
      faults.script({ at: `POST ${paths[kind]}`, what: 'cut', effect: 'done', times: triesMax }),
    async withoutFunds(work) {
      const cents = double.state.balanceCents;
      banks.setBalance(0);
      return work().finally(() => banks.setBalance(cents));
    },
    async createReversed(order) {
      const made = await processor.transfers.create(order);
      banks.reverseTransfer(made.objectId ?? '');
      return made;
    },
    async dispute({ chargeObjectId, amountCents, outcome }) {
      banks.decideDispute(banks.dispute(chargeObjectId, { amount: Number(amountCents) }), outcome);
    },
    openDispute: async ({ chargeObjectId, amountCents }) =>
      banks.dispute(chargeObjectId, { amount: Number(amountCents) }),
    decideDispute: async (disputeId, outcome) => banks.decideDispute(disputeId, outcome),
    payOut: async (amountCents) => banks.payOut(Number(amountCents)),
    async payOutInVain(amountCents) {
      const payoutId = banks.payOut(Number(amountCents));
      banks.returnPayout(payoutId);
      return payoutId;
    },
    nowMs: clock.now,
    close: double.close,
  };
}
