import { createMovableClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase } from '@tollgate/runtime/postgres/database';
import { testDatabase } from '@tollgate/testkit/postgres';
import type { HostedLink } from '../app/processor.ts';
import { describeProcessor, type OpenProcessor } from '../testing/processor.contract.ts';
import { createSandboxPages } from './sandbox-pages.ts';
import { createSandboxProcessor } from './sandbox-processor.ts';

describeProcessor('the sandbox', openSandbox);

async function openSandbox(): Promise<OpenProcessor> {
  const testing = await testDatabase();
  const log = createLogger({ name: 'sandbox-test', level: 'silent' });
  const database = createDatabase({ url: testing.urlFor('billing_worker'), name: 'sandbox-test', log });
  const clock = createMovableClock(Date.parse('2026-11-21T12:34:56.789Z'));
  const pages = createSandboxPages({ database, clock, onEvent: () => undefined });
  return {
    processor: createSandboxProcessor({ database, clock }),
    answerOnboarding: async (link, answer) => void (await pages.answerOnboarding(tokenOf(link), answer)),
    answerSetup: async (link, answer) => void (await pages.answerCardSetup(tokenOf(link), { answer, card: 'visa' })),
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
