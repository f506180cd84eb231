import { hourMs } from '@tollgate/kernel/durations';
import { createMovableClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase } from '@tollgate/database/database';
import { testDatabase } from '@tollgate/testkit/postgres';
import type { HostedLink } from '../../src/processor/processor.ts';
import { describeMovements, type OpenMovements } from '../support/movements.contract.ts';
import { describeProcessor } from '../support/processor.contract.ts';
import { createSandboxBank } from '../../src/processor/sandbox/sandbox-bank.ts';
import { createSandboxFailures } from '../../src/processor/sandbox/sandbox-failures.ts';
import { createSandboxPages } from '../../src/processor/sandbox/sandbox-pages.ts';
import { createSandboxProcessor } from '../../src/processor/sandbox/sandbox-processor.ts';

describeProcessor('the sandbox', openSandbox);
describeMovements('the sandbox', openSandbox);

async function openSandbox(): Promise<OpenMovements> {
  const testing = await testDatabase();
  const log = createLogger({ name: 'sandbox-test', level: 'silent' });
  const database = createDatabase({ url: testing.urlFor('billing_worker'), name: 'sandbox-test', log });
  const clock = createMovableClock(Date.parse('2026-11-21T12:34:56.789Z'));
  const onEvent = () => undefined;
  const pages = createSandboxPages({ database, clock, onEvent });
  const bank = createSandboxBank({ database, clock, onEvent });
  const failures = createSandboxFailures({ database, clock });
  const processor = createSandboxProcessor({ database, clock });
  const payOut = async (amountCents: bigint, outcome: 'paid' | 'returned') =>
    (await bank.payOut({ amountCents, outcome }))?.objectId ?? '';
  const once = { times: 1, subjectId: undefined };
  return {
    processor,
    answerOnboarding: async (link, answer) => void (await pages.answerOnboarding(tokenOf(link), answer)),
    answerSetup: async (link, answer) => void (await pages.answerCardSetup(tokenOf(link), { answer, card: 'visa' })),
    async makeCardDecline(processorCustomerId) {
      const link = await processor.customers.createSetupLink({ processorCustomerId, returnUrl: 'https://sandbox' });
      await pages.answerCardSetup(tokenOf(link), { answer: 'complete', card: 'declined' });
    },
    loseNextAnswer: async (on) => void (await failures.add({ ...once, on, failure: 'timeout_after_effect' })),
    async withoutFunds(work) {
      await failures.add({ ...once, on: 'transfer', failure: 'insufficient_funds' });
      return work();
    },
    async createReversed(order) {
      await failures.add({ ...once, on: 'transfer', failure: 'reverse_later' });
      const made = await processor.transfers.create(order);
      clock.advance(hourMs);
      return made;
    },
    dispute: async (opened) => void (await bank.dispute(opened)),
    async openDispute(opened) {
      const held = { outcome: 'needs_response', feeCents: 1_500n } as const;
      return (await bank.dispute({ ...opened, ...held }))?.objectId ?? '';
    },
    decideDispute: async (disputeId, outcome) => void (await bank.decideDispute(disputeId, outcome)),
    payOut: (amountCents) => payOut(amountCents, 'paid'),
    async payOutInVain(amountCents) {
      const payoutId = await payOut(amountCents, 'returned');
      clock.advance(hourMs);
      return payoutId;
    },
    nowMs: clock.now,
    async close() {
      await database.stop();
      await testing.drop();
    },
  };
}

function tokenOf({ url }: HostedLink): string {
  return new URL(url, 'http://sandbox').searchParams.get('token') ?? '';
}
