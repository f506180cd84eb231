import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ScriptedFailureName } from '../../src/processor/sandbox/scripted-failures.ts';
import { dyingDatabase, observedDatabase, unheardDatabase } from '../support/dying-database.ts';
import { createPayoutsFixture, type PayoutsFixture } from '../support/payouts-fixture.ts';

let fixture: PayoutsFixture;
const bob = '10000000-0000-4000-8000-000000000001';

beforeEach(async () => {
  fixture = await createPayoutsFixture();
});

afterEach(() => fixture.drop());

describe('F45 payouts that die, or run twice at once', () => {
  const letters = ['a', 'b', 'c'];

  const total = 1_000n + 150n + 151n;

  async function prepare(): Promise<void> {
    for (const letter of letters) await fixture.addBuilder(letter);
    for (const [index, letter] of letters.entries()) {
      const calls = letter === 'a' ? 1_000 : 149 + index;
      await fixture.addUsage({ consumerId: bob, tool: `tool-${letter}`, hour: '2026-01-05T00:00:00Z', calls });
    }
    await earnAnew();
    fixture.clock.set(Date.parse('2026-02-08T00:00:00Z'));
  }

  async function earnAnew(): Promise<void> {
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
      'select payout_id, period, status, net_cents, fee_cents, schedules, failures from billing.payout order by 1',
      `select subject_id, attempt_id, amount_cents::text, status from sandbox.movement order by 1, 2`,
    ];
    return Promise.all(texts.map((text) => fixture.owner.query(text)));
  }

  it('come to the same, whichever statement they die at, one transfer each', async () => {
    await prepare();
    let statements = 0;
    await fixture.runDue(observedDatabase(fixture.worker, () => void (statements += 1)));
    const undisturbed = await books();
    expect(statements).toBeGreaterThan(50);
    for (let at = 1; at <= statements; at += 1) {
      await fixture.forgetMoney();
      await earnAnew();
      await expect(fixture.runDue(dyingDatabase(fixture.worker, at))).rejects.toThrow('dead');
      fixture.clock.advance(60_000); // what was begun is looked up
      await fixture.runDue();
      expect(await books()).toEqual(undisturbed);
    }
  }, 300_000);

  it('come to the same when the answer to a commit is lost, whichever', async () => {
    await prepare();
    await fixture.runDue();
    const undisturbed = await books();
    let commits = 0;
    for (let isLost = true; isLost; commits += 1) {
      await fixture.forgetMoney();
      await earnAnew();
      const unheard = unheardDatabase(fixture.worker, commits + 1);
      await fixture.runDue(unheard.database).catch(() => undefined);
      isLost = unheard.isLost();
      fixture.clock.advance(60_000);
      await fixture.runDue();
      expect(await books()).toEqual(undisturbed);
    }
    expect(commits).toBeGreaterThan(5);
  }, 120_000);

  it('come to the same when they run twice and more at once', async () => {
    await prepare();
    await fixture.runDue();
    const undisturbed = await books();
    for (let round = 0; round < 5; round += 1) {
      await fixture.forgetMoney();
      await earnAnew();
      await Promise.all([1, 2, 3].map(() => fixture.runDue()));
      expect(await books()).toEqual(undisturbed);
    }
    const transfers = await fixture.transfers();
    expect(transfers.reduce((sum, { amount_cents: cents }) => sum + cents, 0n)).toBe(total);
  }, 60_000);

  it.each<ScriptedFailureName>(['timeout_before_effect', 'timeout_after_effect'])(
    'F56 transfer once when there was no answer: %s',
    async (failure) => {
      await prepare();
      await fixture.failures.add({ on: 'transfer', failure, times: 2, subjectId: undefined });
      await fixture.runDue();
      const statuses = (await fixture.payouts()).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual(['paid', 'scheduled', 'scheduled']);
      await fixture.runDue(); // nothing is tried again while the outcome is unknown
      fixture.clock.advance(60_000);
      await fixture.runDue();
      expect((await fixture.payouts()).map(({ status }) => status)).toEqual(['paid', 'paid', 'paid']);
      expect(await fixture.transfers()).toHaveLength(3);
      const attempts = await fixture.owner.query<{ number: number }>(
        `select number from billing.processor_attempt where kind = 'transfer'`,
      );
      expect(attempts.map(({ number }) => number)).toEqual([1, 1, 1]);
    },
  );
});
