import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAuthRows } from '@tollgate/testkit/auth-rows';
import { byOperator } from '../support/by-operator.ts';
import type { FeeScope } from '../../src/fees/fee.ts';
import { perCall } from '../support/invoicing-fixture.ts';
import { type CollectionFixture, createCollectionFixture } from '../support/collection-fixture.ts';
import { ada, bob, xenia } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';
import { hearingLog } from '../support/hearing-log.ts';
import { type Database, createDatabase } from '@tollgate/database/database';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { describeCrashes } from '../support/describe-crashes.ts';
import { closedTables, forgetMoney } from '../support/forget-money.ts';
import { eventually } from '@tollgate/testkit/eventually';
import { silentLog as log } from '../support/silent-log.ts';

const yann = 'f0000000-0000-4000-8000-000000000000';

describe('collection', () => {
  const ada = 'a0000000-0000-4000-8000-000000000000';
  const xenia = 'e0000000-0000-4000-8000-000000000000';

  let fixture: CollectionFixture;

  afterEach(async () => {
    await fixture.proveLedger();
    await fixture.drop();
  });

  /** `search` is Xenia's and costs a dollar a call, `maps` is Yann's. */
  async function open({ price = '1', scope = 'lifetime' as FeeScope } = {}): Promise<void> {
    fixture = await createCollectionFixture(scope);
    await fixture.putTool({ slug: 'search', ownerId: xenia, price: perCall(price) });
    await fixture.putTool({ slug: 'maps', ownerId: yann, price: perCall(price) });
  }

  async function use(consumerId: string, month: string, calls: Readonly<Record<string, number>>): Promise<void> {
    for (const [tool, count] of Object.entries(calls))
      await fixture.addUsage({ consumerId, tool, hour: `${month}-05T00:00:00Z`, calls: count });
  }

  describe('collecting many invoices while the processor is away', () => {
    it('F57 stops after a few charges without an answer, and continues when the processor answers again', async () => {
      await open();
      const many = Array.from({ length: 12 }, (_, index) => `c00000${String(index + 10)}-0000-4000-8000-000000000000`);
      for (const consumer of many) {
        await use(consumer, '2026-01', { search: 10 });
        await fixture.putCard(consumer, 'visa');
      }
      await fixture.failures.add({ on: 'charge', failure: 'timeout_before_effect', times: 12, subjectId: undefined });
      await fixture.reach('2026-02-02T00:00:00Z');
      const ordered = await fixture.charges();
      expect(ordered.length).toBeLessThan(8); // two at a time
      expect(ordered.filter((charge) => !charge.includes('unknown'))).toEqual([]);
      await fixture.failures.clear();
      await fixture.reach('2026-02-02T00:02:00Z');
      expect((await fixture.charges()).filter((charge) => charge.includes('succeeded'))).toHaveLength(12);
    });
  });

  describe('collecting an invoice', () => {
    beforeEach(async () => {
      await open();
      await use(ada, '2026-01', { search: 10 });
    });

    it('F135 is held while the operator has suspended the consumer, and goes on when the account is resumed', async () => {
      await fixture.putCard(ada, 'visa');
      const rows = createAuthRows(fixture.owner);
      await rows.suspend(ada);
      await fixture.reach('2026-02-02T00:00:00Z');
      expect(await fixture.invoices()).toEqual(['a 2026-01 open 1000 again at 02-02 00:00']); // usage before the suspension is invoiced as ever
      await fixture.reach('2026-05-02T00:00:00Z');
      expect(await fixture.charges()).toEqual([]);
      await rows.resume(ada);
      await fixture.runDue();
      expect(await fixture.charges()).toEqual(['2026-01 1 succeeded 1000']);
      expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1000']);
    });

    it('happens at the close, and makes the earnings payable', async () => {
      await fixture.putCard(ada, 'visa');
      await fixture.reach('2026-02-02T00:00:00Z');
      expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1000']);
      expect(await fixture.charges()).toEqual(['2026-01 1 succeeded 1000']);
      expect(await fixture.releases()).toEqual(['2026-01 e 10000000 = 10000000 + 0']);
      expect(await fixture.balances()).toEqual({ cash: '9.41', processor_fees: '0.59', 'builder_payable e': '-10' });
    });

    it('is tried again 1, 3, 5 and 7 days after a declined charge, and never after that', async () => {
      await fixture.putCard(ada, 'declined');
      const states: string[] = [];
      for (const day of ['02', '03', '04', '05', '07', '09', '15']) {
        await fixture.reach(`2026-02-${day}T00:00:00Z`);
        states.push(`${day}: ${(await fixture.charges()).length} charges, ${(await fixture.invoices()).join()}`);
      }
      expect(states).toEqual([
        '02: 1 charges, a 2026-01 open 1000 again at 02-03 00:00',
        '03: 2 charges, a 2026-01 open 1000 again at 02-05 00:00',
        '04: 2 charges, a 2026-01 open 1000 again at 02-05 00:00',
        '05: 3 charges, a 2026-01 open 1000 again at 02-07 00:00',
        '07: 4 charges, a 2026-01 open 1000 again at 02-09 00:00',
        '09: 5 charges, a 2026-01 open 1000',
        '15: 5 charges, a 2026-01 open 1000',
      ]);
      expect(await fixture.balances()).toEqual({ 'receivable a': '10', 'builder_earned e': '-10' });
    });

    it('is tried once when several tries are due', async () => {
      await fixture.putCard(ada, 'declined');
      await fixture.reach('2026-02-02T00:00:00Z');
      await fixture.reach('2026-02-08T12:00:00Z');
      expect(await fixture.charges()).toHaveLength(2);
      expect(await fixture.invoices()).toEqual(['a 2026-01 open 1000 again at 02-09 00:00']);
    });

    it('is tried at once with a new payment method, and not with the same one', async () => {
      await fixture.putCard(ada, 'declined');
      await fixture.reach('2026-02-02T00:00:00Z');
      await fixture.runDue();
      expect(await fixture.charges()).toHaveLength(1);
      await fixture.putCard(ada, 'visa');
      expect(await fixture.invoices()).toEqual(['a 2026-01 open 1000 again at 02-02 00:00']);
      await fixture.runDue();
      expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1000']);
      expect(await fixture.charges()).toEqual(['2026-01 1 failed 1000 declined', '2026-01 2 succeeded 1000']);
    });

    it('without a payment method is past due after 14 days and written off 60 days later; a card pays it even then', async () => {
      const states: string[] = [];
      for (const time of ['02-02T00:00', '02-15T23:59', '02-16T00:00', '04-16T23:59', '04-17T00:00']) {
        await fixture.reach(`2026-${time}:00Z`);
        states.push(`${time}: ${(await fixture.invoices()).join()}, ${JSON.stringify(await fixture.balances())}`);
      }
      const owed = '{"builder_earned e":"-10","receivable a":"10"}';
      expect(states).toEqual([
        `02-02T00:00: a 2026-01 open 1000, ${owed}`,
        `02-15T23:59: a 2026-01 open 1000, ${owed}`,
        `02-16T00:00: a 2026-01 past_due 1000, ${owed}`,
        `04-16T23:59: a 2026-01 past_due 1000, ${owed}`,
        `04-17T00:00: a 2026-01 uncollectible 1000, {}`,
      ]);
      await fixture.putCard(ada, 'visa');
      await fixture.runDue();
      expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1000']);
      expect(await fixture.balances()).toEqual({ cash: '9.41', processor_fees: '0.59', 'builder_payable e': '-10' });
    });

    it('is not tried after the payment method was removed', async () => {
      await fixture.putCard(ada, 'declined');
      await fixture.reach('2026-02-02T00:00:00Z');
      await fixture.putCard(ada, null);
      await fixture.reach('2026-02-03T00:00:00Z');
      expect(await fixture.invoices()).toEqual(['a 2026-01 open 1000']);
      expect(await fixture.charges()).toHaveLength(1);
    });
  });

  describe('voiding an invoice', () => {
    beforeEach(async () => {
      await open();
      await use(ada, '2026-01', { search: 10, maps: 3 });
    });

    it('takes back debt and earnings once, and ends the collection', async () => {
      await fixture.reach('2026-02-02T00:00:00Z');
      const id = await fixture.invoiceId(ada, '2026-01');
      expect((await fixture.voidInvoice(id, byOperator)).status).toBe('void');
      expect((await fixture.voidInvoice(id, byOperator)).status).toBe('void');
      await fixture.putCard(ada, 'visa');
      await fixture.reach('2026-06-01T00:00:00Z');
      expect(await fixture.invoices()).toEqual(['a 2026-01 void 1300']);
      expect(await fixture.balances()).toEqual({});
    });

    it('writes off nothing again of an uncollectible invoice', async () => {
      await fixture.reach('2026-02-02T00:00:00Z');
      await fixture.reach('2026-06-01T00:00:00Z');
      await fixture.voidInvoice(await fixture.invoiceId(ada, '2026-01'), byOperator);
      expect(await fixture.invoices()).toEqual(['a 2026-01 void 1300']);
      expect(await fixture.balances()).toEqual({});
    });

    it('is refused while a charge may still pay the invoice', async () => {
      await fixture.putCard(ada, 'visa');
      await fixture.failures.add({ on: 'charge', failure: 'timeout_after_effect', times: 1, subjectId: undefined });
      await fixture.reach('2026-02-02T00:00:00Z');
      const id = await fixture.invoiceId(ada, '2026-01');
      await expect(fixture.voidInvoice(id, byOperator)).rejects.toMatchObject({
        kind: 'conflict',
        code: 'charge_unresolved',
      });
      await fixture.reach('2026-02-02T00:01:00Z');
      expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1300']);
    });
  });

  describe('a payment releases', () => {
    it('what earlier invoices left unbilled, and each remainder only once', async () => {
      await open({ price: '0.0025' });
      await fixture.putCard(ada, 'visa');
      await use(ada, '2026-01', { search: 150 }); // 0.375: nothing is billed
      await use(ada, '2026-02', { search: 200, maps: 51 }); // 0.6275 more: 1.00 is billed, 0.0025 carried
      await use(ada, '2026-03', { maps: 200 }); // 0.5 more: 0.50 is billed
      await fixture.reach('2026-02-02T00:00:00Z');
      expect(await fixture.releases()).toEqual([]);
      await fixture.reach('2026-03-02T00:00:00Z');
      await fixture.reach('2026-04-02T00:00:00Z');
      expect(await fixture.invoices()).toEqual(['a 2026-01 paid 0', 'a 2026-02 paid 100', 'a 2026-03 paid 50']);
      expect(await fixture.releases()).toEqual([
        '2026-01 e 375000 = 375000 + 0',
        '2026-02 f 127500 = 127500 + 0',
        '2026-02 e 500000 = 500000 + 0',
        '2026-03 f 500000 = 500000 + 0',
      ]);
      const { 'receivable a': advanced } = await fixture.balances();
      expect(advanced).toBe('0.0025');
    });

    it('nothing of an invoice that is written off, nor what it carried from earlier ones', async () => {
      await open({ price: '0.0025' });
      await use(ada, '2026-01', { search: 150 });
      await use(ada, '2026-02', { search: 250 });
      await fixture.reach('2026-02-02T00:00:00Z');
      await fixture.reach('2026-03-02T00:00:00Z');
      await fixture.voidInvoice(await fixture.invoiceId(ada, '2026-02'), byOperator);
      expect(await fixture.balances()).toEqual({});
    });

    it.each([
      ['lifetime', ['2026-01 e 2000000000 = 1960000000 + 40000000', '2026-02 e 500000000 = 480000000 + 20000000']],
      ['month', ['2026-01 e 2000000000 = 1960000000 + 40000000', '2026-02 e 500000000 = 500000000 + 0']],
    ] as const)('with the 1,000 USD without a fee of a %s', async (scope, releases) => {
      await open({ scope });
      await fixture.putCard(ada, 'visa');
      await use(ada, '2026-01', { search: 2_000 });
      await use(ada, '2026-02', { search: 500 });
      await fixture.reach('2026-02-02T00:00:00Z');
      await fixture.reach('2026-03-02T00:00:00Z');
      expect(await fixture.releases()).toEqual(releases);
    });
  });

  describe('many payments at once', () => {
    it('F54 take F(gross) of each builder together, whichever comes first', async () => {
      await open();
      const consumers = Array.from({ length: 12 }, (_, index) => `${index + 10}000000-0000-4000-8000-000000000000`);
      for (const consumerId of consumers) {
        await use(consumerId, '2026-01', { search: 150, maps: 90 });
        await fixture.putCard(consumerId, 'visa');
      }
      fixture.clock.set(Date.parse('2026-02-02T00:00:01Z'));
      await fixture.close('2026-01');
      await fixture.runDueAtOnce();
      expect(new Set(await fixture.invoices())).toEqual(new Set(['1 2026-01 paid 24000', '2 2026-01 paid 24000']));
      const { platform_fees: fees } = await fixture.balances();
      expect(fees).toBe('-35.2'); // 4 % of what is over 1,000 of 1,800 and of 1,080
    });
  });
});

describe('a declined charge', () => {
  /** Ada owes ten dollars and has a good card. */
  const fixture = useCollection({ uses: { [ada]: 10 }, cards: { [ada]: 'visa' } });

  const waitsFor = async () => {
    const rows = await fixture.owner.query<{ waits_for: string | null }>('select waits_for from billing.invoice');
    return rows.map((row) => row.waits_for);
  };

  it.each([
    ['expired_card', 'payment_method'],
    ['authentication_required', 'authentication'],
  ] as const)('F144 of code %s is not tried again with the same card, and waits for %s', async (failure, awaited) => {
    await fixture.failures.add({ on: 'charge', failure, times: 1, subjectId: undefined });
    await fixture.reach('2026-02-02T00:00:00Z');
    expect(await waitsFor()).toEqual([awaited]);
    for (const day of ['03', '05', '07', '09', '20']) await fixture.reach(`2026-02-${day}T00:00:01Z`);
    expect(await fixture.charges()).toEqual([`2026-01 1 failed 1000 ${failure}`]);

    await fixture.putCard(ada, 'mastercard');
    await fixture.runDue();
    expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1000']);
    expect(await waitsFor()).toEqual([null]);
  });

  it('F144 for want of money is tried again, and waits for another card after the last try', async () => {
    await fixture.putCard(ada, 'declined');
    await fixture.reach('2026-02-02T00:00:00Z');
    expect(await waitsFor()).toEqual([null]);
    for (const day of ['03', '05', '07', '09']) await fixture.reach(`2026-02-${day}T00:00:01Z`);
    expect(await fixture.charges()).toHaveLength(5);
    expect(await waitsFor()).toEqual(['payment_method']);
  });

  it('F144 has a line in the log with its code, and an invoice without any card says that it waits for one', async () => {
    const { log, heard } = hearingLog();
    await fixture.failures.add({ on: 'charge', failure: 'expired_card', times: 1, subjectId: undefined });
    await fixture.close('2026-01');
    fixture.clock.set(Date.parse('2026-02-02T00:00:01Z'));
    await fixture.runDue({ log });
    expect(heard('the processor refused an order')).toMatchObject([{ kind: 'charge', code: 'expired_card' }]);

    await fixture.putCard(ada, null);
    await fixture.owner.query('update billing.invoice set collect_at = issued_at');
    await fixture.runDue();
    expect(await waitsFor()).toEqual(['payment_method']);
  });
});

describe('held invoices', () => {
  /** One dollar per call; Ada's invoice is above the bound by a cent, and Bob's is at it. */
  const fixture = useCollection({
    price: '0.01',
    uses: { [ada]: 1_001, [bob]: 1_000 },
    cards: { [ada]: 'visa', [bob]: 'visa' },
    now: '2026-02-03T00:00:00Z',
    last: async ({ setCollectMax }) => setCollectMax(1_000n),
  });

  const adas = () => fixture.invoiceId(ada, '2026-01');

  async function collectAndConfirm(database: Database = fixture.worker): Promise<void> {
    await fixture.runDue({ database });
    await fixture.build({ worker: database }).useCases.confirmInvoice(await adas(), byOperator);
    await fixture.runDue({ database });
  }

  describe('an invoice above the bound of one collection', () => {
    it('F147 is not charged and does not age, however long and with whichever card, until the operator confirms it', async () => {
      const { log, heard } = hearingLog();
      const metrics = createMetrics({ service: 'billing' });
      await fixture.close('2026-01');
      await fixture.runDue({ log, metrics });
      expect(await fixture.invoices()).toEqual(['a 2026-01 open 1001', 'b 2026-01 paid 1000']);
      expect(await metrics.registry.metrics()).toContain('tollgate_billing_held_invoices{service="billing"} 1');
      await fixture.putCard(ada, 'mastercard'); // a new card makes all that is owed due
      await fixture.reach('2026-06-01T00:00:00Z');
      expect(await fixture.invoices()).toEqual(['a 2026-01 open 1001', 'b 2026-01 paid 1000']);
      await fixture.runDue({ log });
      expect(heard('above the bound')).toMatchObject([{ total_usd: '10.01', max_usd: '10' }]); // said once
      await fixture.confirmInvoice(await adas(), byOperator);
      await fixture.confirmInvoice(await adas(), byOperator);
      await fixture.runDue();
      expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1001', 'b 2026-01 paid 1000']);
      expect(await fixture.charges()).toEqual(['2026-01 1 succeeded 1001', '2026-01 1 succeeded 1000']);
      expect(await fixture.acts()).toEqual([`invoice.confirmed a test ${await adas()}`]);
    });

    it('F147 is charged once when it is confirmed while several collect', async () => {
      await fixture.reach('2026-02-03T00:00:00Z');
      const id = await adas();
      await Promise.all([
        fixture.confirmInvoice(id, byOperator),
        fixture.runDueAtOnce(),
        fixture.confirmInvoice(id, byOperator),
      ]);
      await fixture.runDue();
      expect((await fixture.charges()).filter((charge) => charge.includes('1001'))).toEqual([
        '2026-01 1 succeeded 1001',
      ]);
    });

    it('F147 is tried again after a declined charge without another confirmation', async () => {
      await fixture.putCard(ada, 'declined');
      await fixture.reach('2026-02-03T00:00:00Z');
      await fixture.confirmInvoice(await adas(), byOperator);
      await fixture.runDue();
      await fixture.putCard(ada, 'visa');
      await fixture.runDue();
      expect((await fixture.invoices())[0]).toBe('a 2026-01 paid 1001');
    });

    it('cannot be confirmed when it is void, or was never held', async () => {
      await fixture.reach('2026-02-03T00:00:00Z');
      const notHeld = expect.objectContaining({ code: 'invoice_not_held' });
      await expect(fixture.confirmInvoice(await fixture.invoiceId(bob, '2026-01'), byOperator)).rejects.toThrow(
        notHeld,
      );
      await fixture.voidInvoice(await adas(), byOperator);
      await expect(fixture.confirmInvoice(await adas(), byOperator)).rejects.toThrow(notHeld);
      await expect(fixture.confirmInvoice(xenia, byOperator)).rejects.toThrow(
        expect.objectContaining({ code: 'not_found' }),
      );
    });
  });

  describeCrashes('a collection with an invoice above the bound', {
    worker: () => fixture.worker,
    async startAnew() {
      await forgetMoney(fixture.database, [...closedTables, 'processor_attempt', 'released_line', 'held_invoice']);
      await fixture.close('2026-01');
    },
    run: collectAndConfirm,
    async goOn() {
      fixture.clock.advance(60_000);
      await collectAndConfirm();
    },
    books: async () => {
      const held = 'select limit_cents::text, confirmed_at is not null as is_confirmed from billing.held_invoice';
      return [
        await fixture.owner.query(held),
        await fixture.invoices(),
        await fixture.charges(),
        await fixture.releases(),
        await fixture.balances(),
      ];
    },
    statementsMin: 40,
    commitsMin: 6,
  });
});

describe('F235 who is past due', () => {
  /** Ada and Bob owe for January and February, and are past due with both by April. */
  const fixture = useCollection({
    isUnproven: true,
    uses: { [ada]: 10, [bob]: 10 },
    async last({ addUsage }) {
      for (const consumerId of [ada, bob])
        await addUsage({ consumerId, tool: 'search', hour: '2026-02-05T00:00:00Z', calls: 10 });
    },
  });

  /** As the gateway reads it: who is past due. */
  async function pastDue(): Promise<string> {
    const gateway = createDatabase({
      url: fixture.database.urlFor('ingest_gateway_worker'),
      name: 'test-gateway',
      log,
    });
    const text = `select coalesce(string_agg(left(account_id::text, 1), ' ' order by account_id), '') as ids
    from billing.past_due_account_v1 where is_past_due`;
    const [row] = await gateway.query<{ ids: string }>(text);
    await gateway.stop();
    return row?.ids ?? '';
  }

  it('is so from the due date until every invoice is paid, also if one is written off meanwhile', async () => {
    await fixture.reach('2026-02-02T00:00:00Z');
    expect(await pastDue()).toBe('');
    await fixture.reach('2026-02-17T00:00:00Z');
    expect(await pastDue()).toBe('a b');
    await fixture.reach('2026-03-02T00:00:00Z');
    await fixture.reach('2026-04-20T00:00:00Z');
    const states = (await fixture.invoices()).map((line) => line.split(' ')[2]);
    expect(new Set(states)).toEqual(new Set(['uncollectible', 'past_due']));
    expect(await pastDue()).toBe('a b');
    await fixture.putCard(ada, 'visa');
    await fixture.runDue();
    expect(await pastDue()).toBe('b');
  });

  it('is so no more when two invoices are paid at once', async () => {
    await fixture.reach('2026-03-02T00:00:00Z');
    await fixture.reach('2026-03-20T00:00:00Z');
    expect(await pastDue()).toBe('a b');
    const payText = `update billing.invoice set status = 'paid', paid_at = now() where consumer_id = $1 and period = $2`;
    const { owner } = fixture;
    let second: Promise<unknown> | undefined;
    await owner.transaction(async (tx) => {
      await tx.query(payText, [ada, '2026-01']);
      second = owner.query(payText, [ada, '2026-02']);
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      let isDone = false;
      void second.catch(() => undefined).finally(() => (isDone = true));
      await eventually(async () => isDone || (await owner.query(waiting)).length > 0, { withinMs: 10_000 });
    });
    await second;
    expect(await pastDue()).toBe('b');
  });
});
