import { createDatabase } from '@tollgate/database/database';
import { createSandboxProcessor } from '../../src/processor/sandbox/sandbox-processor.ts';
import { frozenClock } from './frozen-clock.ts';
import { createInvoicingFixture } from './invoicing-fixture.ts';
import { proveLedger } from './prove-ledger.ts';
import { silentLog as log } from './silent-log.ts';
import { requireSandbox, wireMoney, type MoneyParts } from './wire-money.ts';

/** All that moves money, with the sandbox and without HTTP. The clock begins with the year 2026. */
export async function createSandboxMoney({ scope = 'lifetime', limits = {} }: Pick<MoneyParts, 'scope' | 'limits'>) {
  const invoicing = await createInvoicingFixture();
  const { worker, database: under } = invoicing;
  const clock = frozenClock('2026-01-01T00:00:00Z');
  const ofProcessor = createDatabase({ url: under.urlFor('billing_worker'), name: 'test-sandbox', log });
  const processor = createSandboxProcessor({ database: ofProcessor, clock, delayMs: 0 });
  const build = (parts: Partial<MoneyParts> = {}) =>
    wireMoney({ worker, api: worker, ofProcessor, processor, clock, scope, limits, ...parts });
  const money = build();
  const { attempts } = money;
  return {
    ...invoicing,
    clock,
    processor,
    money,
    /** The same with other parts. */
    build,
    attempts,
    failures: requireSandbox(money).failures,
    proveLedger: () => proveLedger(worker),
    async drop() {
      await ofProcessor.stop();
      await invoicing.drop();
    },
  };
}
