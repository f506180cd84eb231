import { describe, expect, it } from '@jest/globals';
import { formatUsd, micros } from '@tollgate/kernel/money';
import { type Database, onlyRow } from '@tollgate/database/database';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import { createFollowDispute } from '../../src/refunds/follow-dispute.ts';
import { describeCrashes } from '../support/describe-crashes.ts';
import { type PlantedRow, balancesSql, deletePostingSql, plant, postSql } from '../support/plant-sql.ts';
import { planted } from '../support/planted.ts';
import { silentLog as log } from '../support/silent-log.ts';
import { collectionDay, nothingDiffers, payoutDay, useStripeMoney } from '../support/use-stripe-money.ts';
import { listStrayMoney } from '../../src/refunds/sql-stray-money.ts';
import { byOperator } from '../support/by-operator.ts';
import { ada } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';
import { requireSandbox } from '../support/wire-money.ts';

let current = '';

describe('open disputes', () => {
  /** January's 30.00 are charged, and their payout day is to come. */
  const fixture = useStripeMoney({ calls: 3_000, reached: [collectionDay] });

  function dispute(how: { amount?: number; isInquiry?: boolean }): string {
    const charge = [...fixture.double.state.paymentIntents.values()].find(({ status }) => status === 'succeeded');
    return fixture.double.banks.dispute(charge?.id ?? '', how);
  }

  const deliver = () => fixture.deliver(fixture.double.webhooks.events);
  const transferred = () => [...fixture.double.state.transfers.values()].map(({ amount }) => amount);

  /** Reads the disputed sums of the ledger, in dollars. */
  async function disputed(): Promise<string> {
    const text = `select coalesce(sum(balance_micros), 0)::text as micros from billing.ledger_account where kind = 'disputed'`;
    return formatUsd(micros(BigInt(onlyRow(await fixture.owner.query<{ micros: string }>(text)).micros)));
  }

  function follow(database: Database = fixture.worker): Promise<void> {
    return createFollowDispute({ database, clock: fixture.clock, log, processor: fixture.processor() })(current);
  }

  /** As on the page docs.stripe.com/disputes/how-disputes-work: the money is withdrawn while it is open. */
  describe('F149 a dispute that is open on payout day', () => {
    it.each([{ amount: 700 }, { amount: 700, isInquiry: true }])('keeps its share: %j', async (how) => {
      dispute(how);
      await deliver();
      await deliver();
      await fixture.reach(payoutDay);
      expect(transferred()).toEqual([2_300]);
      const holds = 'select earning_micros::text as micros from billing.dispute_hold';
      expect(await fixture.owner.query(holds)).toEqual([{ micros: '7000000' }]);
    });

    it('F270 is not refunded, and an inquiry is: that may end it', async () => {
      dispute({ amount: 700, isInquiry: true });
      await deliver();
      expect(await fixture.refund(500n)).toMatchObject({ status: 'succeeded' });
      dispute({ amount: 700 });
      await deliver();
      await expect(fixture.refund(500n)).rejects.toMatchObject({ code: 'charge_disputed' });
    });

    it('pays the share with the next payout if it is won', async () => {
      const id = dispute({ amount: 700 });
      await deliver();
      await fixture.reach(payoutDay);
      fixture.double.banks.decideDispute(id, 'won');
      await deliver();
      await fixture.useTool('2026-02', 200);
      await fixture.reach('2026-03-08T00:00:01.000Z');
      expect(transferred()).toEqual([2_300, 900]);
      expect(await fixture.differences()).toEqual(nothingDiffers);
    });

    it('takes the share if it is lost, and the builder owes nothing', async () => {
      const id = dispute({ amount: 700 });
      await deliver();
      await fixture.reach(payoutDay);
      fixture.double.banks.decideDispute(id, 'lost');
      await deliver();
      await fixture.useTool('2026-02', 200);
      await fixture.reach('2026-03-08T00:00:01.000Z');
      expect(transferred()).toEqual([2_300, 200]);
      expect(await fixture.differences()).toEqual(nothingDiffers);
    });

    it('that takes all of it schedules no payout until it is decided', async () => {
      const id = dispute({ amount: 3_000 });
      await deliver();
      await fixture.reach(payoutDay);
      expect(transferred()).toEqual([]);
      fixture.double.banks.decideDispute(id, 'won');
      await deliver();
      await fixture.useTool('2026-02', 200);
      await fixture.reach('2026-03-08T00:00:01.000Z');
      expect(transferred()).toEqual([3_200]);
      expect(await fixture.differences()).toEqual(nothingDiffers);
    });
  });

  /** As on the page docs.stripe.com/disputes/how-disputes-work; an inquiry withdraws nothing. */
  describe('F223 the money that Stripe withdraws for a dispute', () => {
    it('is disputed while the dispute is open, so cash is the balance at any time', async () => {
      const id = dispute({ amount: 700 });
      await deliver();
      expect(await disputed()).toBe('7');
      expect(await fixture.differences()).toEqual(nothingDiffers);
      expect(await fixture.reconcile('2026-01')).toEqual([]);
      fixture.double.banks.decideDispute(id, 'lost');
      await deliver();
      expect(await disputed()).toBe('0');
      expect(await fixture.differences()).toEqual(nothingDiffers);
      fixture.double.banks.decideDispute(id, 'won'); // reinstated
      await deliver();
      await deliver();
      expect(await disputed()).toBe('0');
      expect(await fixture.differences()).toEqual(nothingDiffers);
      expect(await fixture.reconcile('2026-01')).toEqual([]);
    });

    it('is cash again if the dispute is won, and nothing of an inquiry is disputed', async () => {
      const id = dispute({ amount: 700 });
      dispute({ amount: 100, isInquiry: true });
      await deliver();
      expect(await disputed()).toBe('7');
      fixture.double.banks.decideDispute(id, 'won');
      await deliver();
      expect(await disputed()).toBe('0');
      expect(await fixture.differences()).toEqual(nothingDiffers);
    });

    it('of a dispute of before it was posted is posted when the dispute is read again', async () => {
      dispute({ amount: 700 });
      await deliver();
      await fixture.owner
        .query(`alter table billing.ledger_transaction disable trigger all; alter table billing.ledger_entry disable trigger all;
      ${deletePostingSql('dispute-held:%').replace(balancesSql, '')}
      alter table billing.ledger_transaction enable trigger all; alter table billing.ledger_entry enable trigger all;
      alter table billing.ledger_account disable trigger all; ${balancesSql} alter table billing.ledger_account enable trigger all;
      update billing.dispute set held_cents = 0, held_postings = 0`);
      expect(await fixture.reconcile('2026-01')).toEqual([]);
      expect((await fixture.differences()).ledger).toEqual([]);
      await fixture.reach('2026-02-03T00:00:02.000Z'); // the daily sweep
      expect(await disputed()).toBe('7');
      expect(await fixture.differences()).toEqual(nothingDiffers);
    });

    it.each<PlantedRow>([
      plant('the held amount', /is open: 700 cents taken, 600 held, ledger 7000000/)`
    update billing.dispute set held_cents = 600`,
      ['a removed posting', deletePostingSql('dispute-held:%'), /is open: 700 cents taken, 700 held, ledger 0/],
      plant('a posting too many', /every posting belongs to a document: dispute-held:/)`
    ${postSql(`'dispute-held:' || (select dispute_id from billing.dispute) || ':2'`, { from: 'cash', to: 'disputed', micros: 5 })}`,
      plant('a dispute decided by hand', /is won: 0 cents taken, 700 held/)`
    update billing.dispute set status = 'won', closed_at = now(), taken_cents = 0`,
    ])('is compared by the ledger check: %s', async (...[, sql, found]) => {
      dispute({ amount: 700 });
      await deliver();
      const { differences } = await planted(fixture.owner, sql, checkLedger);
      const rows = differences.flatMap(({ check, examples }) => examples.map((row) => `${check}: ${row}`));
      expect(rows).toContainEqual(expect.stringMatching(found));
    });
  });

  describeCrashes('following a dispute', {
    worker: () => fixture.worker,
    async startAnew() {
      current = dispute({ amount: 10 });
    },
    run: follow,
    goOn: () => follow(),
    books: () =>
      fixture.owner.query(
        `select d.status, h.earning_micros::text, d.taken_cents::text, d.fee_cents::text,
         (select count(*)::int from billing.ledger_transaction where business_key = 'dispute-fee:' || d.dispute_id || ':1') as fees,
         (select count(*)::int from billing.ledger_transaction where business_key = 'dispute-held:' || d.dispute_id || ':1') as held
       from billing.dispute d join billing.dispute_hold h using (dispute_id) where d.processor_dispute_id = $1`,
        [current],
      ),
    statementsMin: 8,
    commitsMin: 1,
  });
});

/** As on the page docs.stripe.com/disputes/responding: a charge with an open dispute cannot be refunded. */
describe('F270 a refund of a disputed charge', () => {
  const fixture = useCollection({ cards: { [ada]: 'visa' } });

  /** Ada owes so many dollars for January, and pays them. */
  async function pay(dollars: number, { balanceCents = 0n } = {}): Promise<void> {
    await fixture.addUsage({ consumerId: ada, tool: 'search', hour: '2026-01-05T00:00:00Z', calls: dollars });
    if (balanceCents > 0n) await fixture.grant(ada, balanceCents);
    await fixture.reach('2026-02-02T00:01:00Z');
  }

  /** A bank opens a dispute of the n-th charge, of all of it unless told otherwise, and billing hears of it. */
  async function dispute(number: number, cents?: bigint): Promise<string> {
    const text = `select object_id as id, amount_cents as cents from billing.processor_attempt where kind = 'charge' and number = $1`;
    const charge = onlyRow(await fixture.owner.query<{ id: string; cents: bigint }>(text, [number]));
    const order = {
      chargeObjectId: charge.id,
      amountCents: cents ?? BigInt(charge.cents),
      outcome: 'needs_response',
    } as const;
    const opened = await requireSandbox(fixture.money).bank.dispute(order);
    await fixture.money.refresh.dispute(opened?.objectId ?? '');
    return opened?.objectId ?? '';
  }

  async function decide(disputeId: string, decision: 'won' | 'lost'): Promise<void> {
    await requireSandbox(fixture.money).bank.decideDispute(disputeId, decision);
    await fixture.money.refresh.dispute(disputeId);
  }

  async function refund(amountCents?: bigint): Promise<string> {
    const invoiceId = await fixture.invoiceId(ada, '2026-01');
    const ordered = { invoiceId, amountCents, idempotencyKey: undefined, by: byOperator };
    return (await fixture.refundInvoice(ordered)).refund.status;
  }

  const refunds = async () =>
    (
      await fixture.owner.query<{ line: string }>(
        `select concat_ws(' ', cause, status, amount_cents, 'balance', balance_cents) as line from billing.refund order by created_at, cause`,
      )
    ).map(({ line }) => line);

  it('is refused at once, also in part, and possible once the dispute is won', async () => {
    await pay(100);
    const id = await dispute(1, 3_000n);
    const mustWait = { code: 'charge_disputed', message: expect.stringContaining('has to wait') };
    await expect(refund()).rejects.toMatchObject(mustWait);
    await expect(refund(1n)).rejects.toMatchObject(mustWait);
    expect(await refunds()).toEqual([]);
    await decide(id, 'won');
    await expect(refund()).resolves.toBe('succeeded');
  });

  it('goes back to the balance for the part that it had paid, and says how much that is', async () => {
    await pay(100, { balanceCents: 4_000n });
    const id = await dispute(1);
    await expect(refund()).rejects.toMatchObject({
      code: 'charge_disputed',
      message: expect.stringContaining('at most 40 USD'),
    });
    await expect(refund(4_001n)).rejects.toMatchObject({ code: 'charge_disputed' });
    await expect(refund(4_000n)).resolves.toBe('succeeded');
    await expect(refund(1n)).rejects.toMatchObject({ code: 'charge_disputed' });
    expect(await fixture.balances()).toMatchObject({ 'consumer_balance a': '-40' });
    await decide(id, 'lost');
    expect(await refunds()).toEqual(['dispute succeeded 6000 balance 0', 'operator succeeded 4000 balance 4000']);
    await expect(refund(1n)).rejects.toMatchObject({ code: 'refund_too_large' });
  });

  it('is taken from the other charges of its invoice', async () => {
    await pay(1_200_000);
    await dispute(2); // the smaller one, which a refund would take first
    await expect(refund(20_000_000n)).resolves.toBe('succeeded');
    await expect(refund()).rejects.toMatchObject({ message: expect.stringContaining('at most 799999.99 USD') });
    await expect(refund(79_999_999n)).resolves.toBe('succeeded');
    expect(await refunds()).toEqual(['operator succeeded 20000000 balance 0', 'operator succeeded 79999999 balance 0']);
  });

  it('that is stray money is refused, too', async () => {
    await fixture.addUsage({ consumerId: ada, tool: 'search', hour: '2026-01-05T00:00:00Z', calls: 1_200_000 });
    fixture.clock.set(Date.parse('2026-02-02T00:01:00Z'));
    await fixture.close('2026-01');
    await fixture.collectOnly();
    await fixture.failures.add({ on: 'charge', failure: 'expired_card', times: 1, subjectId: undefined });
    await fixture.collectOnly();
    await fixture.voidInvoice(await fixture.invoiceId(ada, '2026-01'), byOperator);
    const [stray] = await listStrayMoney(fixture.worker);
    const order = { attemptId: stray?.attemptId ?? '', by: byOperator };
    const id = await dispute(1);
    await expect(fixture.returnStrayMoney(order)).rejects.toMatchObject({ code: 'charge_disputed' });
    await decide(id, 'won');
    await expect(fixture.returnStrayMoney(order)).resolves.toMatchObject({ status: 'succeeded' });
  });
});
