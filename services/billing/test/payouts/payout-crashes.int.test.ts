import { dayMs } from '@tollgate/kernel/durations';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startAttempt } from '../../src/processor/attempt.ts';
import { insertAttempt } from '../../src/processor/sql-attempts.ts';
import { describeCrashes } from '../support/describe-crashes.ts';
import { createPayoutsFixture, type PayoutsFixture } from '../support/payouts-fixture.ts';

const bob = '10000000-0000-4000-8000-000000000001';
const callsOf = { a: 1_000, b: 150, c: 151 };

let fixture: PayoutsFixture;

/** Bob's January is paid, and the payout day of three builders has come. */
beforeEach(async () => {
  fixture = await createPayoutsFixture();
  fixture.setYoung({ youngMs: 90 * dayMs, delayMs: 0, reservePercent: 10 }); // so each payout holds some
  for (const [letter, calls] of Object.entries(callsOf)) {
    await fixture.addBuilder(letter);
    await fixture.addUsage({ consumerId: bob, tool: `tool-${letter}`, hour: '2026-01-05T00:00:00Z', calls });
  }
  await startAnew();
  fixture.clock.set(Date.parse('2026-02-08T00:00:00Z'));
});

afterEach(() => fixture.drop());

async function startAnew(): Promise<void> {
  await fixture.forgetMoney();
  await fixture.close('2026-01');
  await fixture.pay(bob, '2026-01');
}

async function books(): Promise<unknown> {
  const texts = [
    `select business_key, kind, owner_id, amount_micros from billing.ledger_transaction
     join billing.ledger_entry using (transaction_id) join billing.ledger_account using (ledger_account_id)
     where business_key like 'payout:%' order by 1, 2, 3`,
    'select builder_id, payout_id from billing.released_line order by 1, 2',
    'select period from billing.payout_day',
    'select payout_id, period, status, net_cents, held_cents, fee_cents, schedules, failures from billing.payout order by 1',
    `select subject_id, attempt_id, amount_cents::text, status from sandbox.movement order by 1, 2`,
  ];
  return Promise.all(texts.map((text) => fixture.owner.query(text)));
}

describeCrashes('a payout day', {
  worker: () => fixture.worker,
  startAnew,
  run: (database) => fixture.runDue(database),
  async goOn() {
    fixture.clock.advance(60_000);
    await fixture.runDue();
  },
  books,
  statementsMin: 50,
  commitsMin: 5,
});

it('F45 payout days at once transfer to each builder once', async () => {
  await fixture.runDue();
  const undisturbed = await books();
  for (let round = 0; round < 5; round += 1) {
    await startAnew();
    await Promise.all([1, 2, 3].map(() => fixture.runDue()));
    expect(await books()).toEqual(undisturbed);
  }
  const transfers = (await fixture.transfers()).map(({ amount_cents: cents }) => Number(cents));
  expect(transfers.toSorted((a, b) => a - b)).toEqual([135, 135, 900]);
}, 60_000);

describe('F45 one transfer at a time, for each of the two guards alone', () => {
  it('looks for an unsettled attempt under the lock of the payout, without the index of the database', async () => {
    await fixture.owner.query('drop index billing.attempt_unsettled');
    for (let round = 0; round < 5; round += 1) {
      await startAnew();
      await Promise.all([1, 2, 3].map(() => fixture.runDue()));
      const cents = (await fixture.transfers()).map(({ amount_cents: amount }) => Number(amount));
      expect(cents.toSorted((a, b) => a - b)).toEqual([135, 135, 900]);
      expect(await attempts()).toEqual([1, 1, 1]);
    }
  }, 60_000);

  it('refuses a second unsettled attempt in the database, whoever orders it', async () => {
    await startAnew(); // at today's clock
    const subjectId = '20000000-0000-4000-8000-000000000001';
    const order = { kind: 'transfer', subjectId, amountCents: 100n, partyId: 'account' } as const;
    const both = fixture.worker.transaction(async (tx) => {
      for (const number of [1, 2])
        await insertAttempt(tx, startAttempt({ ...order, number }, 0), { processor: 'sandbox', lookAtMs: 0 });
    });
    await expect(both).rejects.toThrow('attempt_unsettled');
  });

  /** How many transfers each payout had. */
  async function attempts(): Promise<number[]> {
    const count = `select count(*)::int as attempts from billing.processor_attempt where kind = 'transfer' group by subject_id`;
    return (await fixture.owner.query<{ attempts: number }>(count)).map(({ attempts: each }) => each);
  }
});
