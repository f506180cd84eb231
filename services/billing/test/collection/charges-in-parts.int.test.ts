import { beforeEach, describe, expect, it } from '@jest/globals';
import { onlyRow } from '@tollgate/database/database';
import { createReconcile } from '../../src/audit/reconcile.ts';
import { listStrayMoney } from '../../src/refunds/sql-stray-money.ts';
import { chargeCentsMax, type ChargeOrder, type Processor } from '../../src/processor/processor.ts';
import { byOperator } from '../support/by-operator.ts';
import { ada } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';
import { describeCrashes } from '../support/describe-crashes.ts';
import { closedTables, forgetMoney } from '../support/forget-money.ts';
import { requireSandbox } from '../support/wire-money.ts';

/** Ada owes 2.3 million USD, to two builders. */
const fixture = useCollection({
  uses: { [ada]: 1_500_000 },
  usesOfMaps: { [ada]: 800_000 },
  cards: { [ada]: 'visa' },
  now: '2026-02-02T00:01:00Z',
  last: ({ close }) => close('2026-01'),
});

const [first, second, third] = ['1 succeeded 99999999', '2 succeeded 99999999', '3 succeeded 30000002'];

/** Fees: 2.9 % and 0.30 of each charge; the platform has 4 % of all but the first 1,000 of each builder. */
const paid = {
  'builder_payable e': '-1440040',
  'builder_payable f': '-768040',
  cash: '2233299.1',
  platform_fees: '-91920',
  processor_fees: '66700.9',
};

/** Fees of the two charges beside a balance of 500,000: 2.9 % and 0.30 each. */
const platformsLoss = { cash: '-52200.6', processor_fees: '52200.6' };

/** As on the page docs.stripe.com/currencies#minimum-and-maximum-charge-amounts: a charge has eight digits. */
describe('an invoice above the maximum of one charge', () => {
  it('F213 is charged in parts of at most that, and paid by the last one', async () => {
    await fixture.runDue();
    expect(await charges()).toEqual([first, second, third]);
    expect(await fixture.invoices()).toEqual(['a 2026-01 paid 230000000']);
    expect(await fixture.balances()).toEqual(paid);
    await expectReconciled();
  });

  it('F213 owes exactly what is left after a decline, and only that is charged again', async () => {
    await fixture.runDue({ processor: failingAt(2, 'decline') });
    expect(await charges()).toEqual([first, '2 failed 99999999 declined']);
    expect(await fixture.invoices()).toEqual(['a 2026-01 open 230000000 again at 02-03 00:00']);
    const waiting = { 'builder_earned e': '-1500000', 'builder_earned f': '-800000', receivable: '2300000' };
    expect(await balancesByKind()).toMatchObject({ ...waiting, part_paid: '-999999.99' });
    await expectReconciled();
    await fixture.reach('2026-02-03T00:01:00Z');
    expect(await charges()).toEqual([
      first,
      '2 failed 99999999 declined',
      '3 succeeded 99999999',
      '4 succeeded 30000002',
    ]);
    expect(await fixture.balances()).toEqual(paid);
    await expectReconciled();
  });

  it('F213 looks a part up whose answer was lost, and charges it once', async () => {
    await fixture.runDue({ processor: failingAt(2, 'timeout_after_effect') });
    expect(await charges()).toEqual([first, '2 unknown 99999999']);
    fixture.clock.advance(60_000);
    await fixture.runDue();
    expect(await charges()).toEqual([first, second, third]);
    expect(await fixture.balances()).toEqual(paid);
    await expectReconciled();
  });

  it('F213 is charged by a restored backup that has lost a part, and no money moves twice', async () => {
    await fixture.runDue({ processor: failingAt(3, 'timeout_before_effect') });
    await forgetMoney(fixture.database, [...closedTables, 'processor_attempt']);
    await fixture.close('2026-01');
    await fixture.failures.clear();
    await fixture.runDue();
    expect(await charges()).toEqual([first, second, third]);
    expect(await fixture.balances()).toEqual(paid);
    await expectReconciled();
  });

  it('F213 is paid by the balance for the part that it has', async () => {
    await fixture.grant(ada, 130_000_001n);
    await fixture.runDue();
    expect(await charges()).toEqual([first]);
    expect(await fixture.invoices()).toEqual(['a 2026-01 paid 230000000']);
    await expectReconciled();
  });

  it('F213 is paid by a balance that comes between its parts', async () => {
    await fixture.runDue({ processor: failingAt(2, 'decline') });
    await fixture.grant(ada, 150_000_000n);
    await fixture.reach('2026-02-03T00:01:00Z');
    expect(await charges()).toEqual([first, '2 failed 99999999 declined']);
    expect(await fixture.invoices()).toEqual(['a 2026-01 paid 230000000']);
    expect(await fixture.balances()).toMatchObject({ 'consumer_balance a': '-199999.99' });
    await expectReconciled();
  });

  it('F213 keeps what was paid while it is uncollectible, and takes the rest with the next card', async () => {
    await fixture.runDue({ processor: failingAt(2, 'expired_card') });
    await fixture.reach('2026-06-01T00:00:00Z');
    expect(await fixture.invoices()).toEqual(['a 2026-01 uncollectible 230000000']);
    expect(await balancesByKind()).toMatchObject({ part_paid: '-999999.99' });
    await fixture.proveLedger();
    await fixture.putCard(ada, 'mastercard');
    await fixture.runDue();
    expect(await charges()).toEqual([
      first,
      '2 failed 99999999 expired_card',
      '3 succeeded 99999999',
      '4 succeeded 30000002',
    ]);
    expect(await fixture.balances()).toEqual(paid);
    await expectReconciled();
  });

  it('F213 lets builders bear the fee of each part', async () => {
    await fixture.runDue({ feeBearer: 'builder' });
    expect(await fixture.balances()).not.toHaveProperty('processor_fees');
    await expectReconciled();
  });

  it('F213 gives its parts back as stray money once it is void', async () => {
    await fixture.runDue({ processor: failingAt(3, 'expired_card') });
    await fixture.voidInvoice(await fixture.invoiceId(ada, '2026-01'), byOperator);
    expect(await fixture.balances()).toEqual({
      cash: '1941999.38',
      processor_fees: '58000.6',
      rounding: '-1999999.98',
    });
    const strays = await listStrayMoney(fixture.worker);
    expect(strays.map(({ leftCents }) => leftCents)).toEqual([chargeCentsMax, chargeCentsMax]);
    for (const { attemptId } of strays) await fixture.returnStrayMoney({ attemptId, by: byOperator });
    expect(await fixture.balances()).toEqual({ cash: '-58000.6', processor_fees: '58000.6' });
    await expectReconciled();
  });
});

/** As on the page docs.stripe.com/disputes/how-disputes-work: a dispute is of one charge. */
describe('a dispute of a part', () => {
  it('F213 that is lost before the invoice is paid makes it a stray, and the invoice owes that part again', async () => {
    await fixture.runDue({ processor: failingAt(2, 'decline') });
    await loseDispute(1, chargeCentsMax);
    expect(await fixture.invoices()).toEqual(['a 2026-01 open 230000000']);
    expect(await balancesByKind()).not.toHaveProperty('part_paid');
    await expectReconciled();
    await fixture.putCard(ada, 'mastercard');
    await fixture.runDue();
    expect((await charges()).slice(2)).toEqual([
      '3 succeeded 99999999',
      '4 succeeded 99999999',
      '5 succeeded 30000002',
    ]);
    expect(await fixture.invoices()).toEqual(['a 2026-01 paid 230000000']);
    await expectReconciled();
  });

  it('F213 that is lost afterwards is a refund of that charge alone', async () => {
    await fixture.runDue();
    await loseDispute(1, 60_000_000n);
    expect(await fixture.balances()).toMatchObject({ cash: '1633299.1' });
    await expectReconciled();
    await expect(refund(99_999_999n)).resolves.toBe('succeeded'); // the second charge gives it
    await expect(refund(39_999_999n)).resolves.toBe('succeeded');
    await expect(refund(undefined)).resolves.toBe('succeeded');
    expect(await fixture.balances()).toEqual({ cash: '-66700.9', processor_fees: '66700.9' });
    await expectReconciled();
  });

  it('F213 is refunded by one refund of each charge, once for a key, and never more than is left', async () => {
    await fixture.runDue();
    await expect(refund(150_000_000n, 'a')).resolves.toBe('succeeded');
    await expect(refund(150_000_000n, 'a')).resolves.toBe('succeeded');
    await expect(refund(99_999_999n, 'a')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    expect(await refunds()).toEqual(['99999999 succeeded', '50000001 succeeded of it']);
    await expectReconciled();
    await expect(refund(80_000_001n)).rejects.toMatchObject({ code: 'refund_too_large' });
    await expect(refund(undefined)).resolves.toBe('succeeded');
    expect(await refunds()).toHaveLength(4);
    expect(await fixture.balances()).toEqual({ cash: '-66700.9', processor_fees: '66700.9' });
    await expectReconciled();
  });

  it('F213 is refunded as a whole though the answer about one of its charges is lost', async () => {
    await fixture.runDue();
    await fixture.failures.add({ on: 'refund', failure: 'timeout_before_effect', times: 1, subjectId: undefined });
    await expect(refund(150_000_000n)).resolves.toBe('pending');
    expect(await refunds()).toEqual(['99999999 pending', '50000001 succeeded of it']);
    await expect(refund(80_000_001n)).rejects.toMatchObject({ code: 'refund_too_large' });
    fixture.clock.advance(120_000);
    await fixture.runDue();
    expect(await refunds()).toEqual(['99999999 succeeded', '50000001 succeeded of it']);
    await expectReconciled();
  });

  it('F268 is refunded in its request for ten seconds at most, and for the rest by due work', async () => {
    await fixture.runDue();
    let monotonicMs = 0;
    const clock = { now: fixture.clock.now, monotonicMs: () => monotonicMs };
    const { refunds: port } = fixture.processor;
    const create: typeof port.create = async (order) => {
      monotonicMs += 6_000;
      return port.create(order);
    };
    const { refundInvoice } = fixture.build({
      clock,
      processor: { ...fixture.processor, refunds: { ...port, create } },
    }).useCases;
    const invoiceId = await fixture.invoiceId(ada, '2026-01');
    await refundInvoice({ invoiceId, amountCents: undefined, idempotencyKey: undefined, by: byOperator });
    expect(await refunds()).toEqual(['99999999 succeeded', '99999999 succeeded of it', '30000002 pending of it']);
    fixture.clock.advance(60_000);
    await fixture.runDue();
    expect((await refunds()).at(-1)).toBe('30000002 succeeded of it');
    await expectReconciled();
  });

  async function loseDispute(number: number, amountCents: bigint): Promise<void> {
    const text = `select object_id as id from billing.processor_attempt where kind = 'charge' and number = $1`;
    const { id: chargeObjectId } = onlyRow(await fixture.owner.query<{ id: string }>(text, [number]));
    const order = { chargeObjectId, amountCents, outcome: 'lost' } as const;
    const dispute = await requireSandbox(fixture.money).bank.dispute(order);
    await fixture.money.refresh.dispute(dispute?.objectId ?? '');
  }
});

/** As on the page docs.stripe.com/refunds: a refund is of one charge. */
describe('F213 F228 a refund of an invoice that the balance and several charges paid', () => {
  const large = '99999999';

  beforeEach(async () => {
    await fixture.grant(ada, 50_000_000n);
    await fixture.runDue();
  });

  it('goes back to each charge first, then to the balance, and never more than is left', async () => {
    expect(await charges()).toEqual([first, '2 succeeded 80000001']);
    await expect(refund(190_000_000n, 'a')).resolves.toBe('succeeded');
    await expect(refund(190_000_000n, 'a')).resolves.toBe('succeeded');
    expect(await refunds()).toEqual([`${large} succeeded`, '90000001 succeeded of it']);
    expect(await fixture.balances()).toMatchObject({ 'consumer_balance a': '-100000' });
    await expectReconciled();
    await expect(refund(40_000_001n)).rejects.toMatchObject({ code: 'refund_too_large' });
    await refundTheRest();
  });

  it('moves each charge with its own outcome, and the balance with the last of them', async () => {
    await loseAnswers(1);
    await expect(refund(190_000_000n)).resolves.toBe('pending');
    expect(await refunds()).toEqual([`${large} pending`, '90000001 succeeded of it']);
    expect(await fixture.balances()).toMatchObject({ 'consumer_balance a': '-100000' });
    await expect(refund(40_000_001n)).rejects.toMatchObject({ code: 'refund_too_large' });
    await expectSettled();
  });

  it('leaves the balance alone while the charge that it goes with is unknown', async () => {
    await loseAnswers(2);
    await expect(refund(190_000_000n)).resolves.toBe('pending');
    expect(await refunds()).toEqual([`${large} pending`, '90000001 pending of it']);
    expect(await fixture.balances()).not.toHaveProperty('consumer_balance a');
    await expect(refund(40_000_001n)).rejects.toMatchObject({ code: 'refund_too_large' });
    await expectSettled();
  });

  it('gives back what a declined charge did not, in a second order', async () => {
    await fixture.failures.add({ on: 'refund', failure: 'decline', times: 1, subjectId: undefined });
    await expect(refund(190_000_000n)).resolves.toBe('failed');
    expect(await refunds()).toEqual([`${large} failed`, '90000001 succeeded of it']);
    await expectReconciled();
    await refundTheRest();
  });

  async function refundTheRest(): Promise<void> {
    await expect(refund(undefined)).resolves.toBe('succeeded');
    const given = { promotions: '500000', 'consumer_balance a': '-500000' };
    expect(await fixture.balances()).toEqual({ ...platformsLoss, ...given });
    await expectReconciled();
  }

  async function loseAnswers(times: number): Promise<void> {
    await fixture.failures.add({ on: 'refund', failure: 'timeout_after_effect', times, subjectId: undefined });
  }

  async function expectSettled(): Promise<void> {
    fixture.clock.advance(120_000);
    await fixture.runDue();
    expect(await refunds()).toEqual([`${large} succeeded`, '90000001 succeeded of it']);
    expect(await fixture.balances()).toMatchObject({ 'consumer_balance a': '-100000' });
    await expectReconciled();
  }
});

describe('the ledger check', () => {
  it.each([
    ['an amount paid in parts that no charge paid', 'update billing.invoice set part_paid_cents = part_paid_cents + 1'],
    ['a part that is gone', `update billing.invoice set part_paid_cents = 0`],
  ])('F213 names %s', async (_what, plant) => {
    await fixture.runDue({ processor: failingAt(2, 'decline') });
    const undo = `update billing.invoice set part_paid_cents = ${chargeCentsMax}`;
    await fixture.owner.query(plant);
    await expect(fixture.proveLedger()).rejects.toThrow(/what charges paid of an invoice before the last one/);
    await fixture.owner.query(undo);
  });
});

describeCrashes('a collection in parts', {
  worker: () => fixture.worker,
  startAnew,
  run: (database) => fixture.runDue(database && { database }),
  goOn,
  books,
  statementsMin: 60,
  commitsMin: 6,
});

async function startAnew(): Promise<void> {
  await forgetMoney(fixture.database, [...closedTables, 'processor_attempt', 'released_line']);
  await fixture.close('2026-01');
}

async function goOn(): Promise<void> {
  fixture.clock.advance(60_000);
  await fixture.runDue();
  await fixture.proveLedger();
}

async function books(): Promise<unknown> {
  const atProcessor = 'select attempt_id, amount_cents::text, status from sandbox.movement order by 1';
  return [await fixture.owner.query(atProcessor), await charges(), await fixture.releases(), await fixture.balances()];
}

/** One text per refund, the largest first. */
async function refunds(): Promise<string[]> {
  const text = `select concat_ws(' ', amount_cents, status, case when order_id is not null then 'of it' end) as line
    from billing.refund order by amount_cents desc, refund_id`;
  return (await fixture.owner.query<{ line: string }>(text)).map(({ line }) => line);
}

async function refund(amountCents: bigint | undefined, idempotencyKey?: string): Promise<string> {
  const invoiceId = await fixture.invoiceId(ada, '2026-01');
  const ordered = { invoiceId, amountCents, idempotencyKey, by: byOperator };
  return (await fixture.refundInvoice(ordered)).refund.status;
}

/** One text per charge: its number, its outcome and its cents. */
async function charges(): Promise<string[]> {
  return (await fixture.charges()).map((charge) => charge.replace('2026-01 ', ''));
}

async function balancesByKind(): Promise<Record<string, string>> {
  const named = Object.entries(await fixture.balances());
  return Object.fromEntries(named.map(([name, usd]) => [name.replace(/ a$/, ''), usd]));
}

/** The sandbox, where the n-th charge that is ordered from now on meets this failure. */
function failingAt(
  nth: number,
  failure: 'decline' | 'expired_card' | 'timeout_before_effect' | 'timeout_after_effect',
): Processor {
  const { processor } = fixture;
  let orders = 0;
  return {
    ...processor,
    charges: {
      ...processor.charges,
      async create(order: ChargeOrder) {
        orders += 1;
        if (orders === nth) await fixture.failures.add({ on: 'charge', failure, times: 1, subjectId: undefined });
        return processor.charges.create(order);
      },
    },
  };
}

async function expectReconciled(): Promise<void> {
  await fixture.proveLedger();
  const { worker: database, processor } = fixture;
  const { steps } = await createReconcile({ database, processor })({ period: '2026-01', accountId: undefined });
  const ofMoney = steps.filter(({ name }) => ['lines_ledger', 'ledger_processor', 'cash_balance'].includes(name));
  expect(ofMoney.flatMap(({ rows }) => rows)).toEqual([]);
}
