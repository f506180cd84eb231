import { describe, expect, it } from '@jest/globals';
import { byOperator } from '../support/by-operator.ts';
import { ada, xenia } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';
import { perCall } from '../support/invoicing-fixture.ts';

/** A call costs one cent. */
const fixture = useCollection({ price: '0.01' });

/** As '01-20 09': so many calls in this hour. */
const use = (hour: string, calls: number) =>
  fixture.addUsage({ consumerId: ada, tool: 'search', hour: `2026-${hour.replace(' ', 'T')}:00:00Z`, calls });

const grant = (cents: bigint, from: string, expires?: string) =>
  fixture.grant(ada, cents, {
    from: `2026-${from}:00Z`,
    ...(expires !== undefined && { expires: `2026-${expires}:00Z` }),
  });

/** The cents that credits have left, in the order in which they are spent. */
async function left(): Promise<string> {
  return (await fixture.findBalance(ada)).credits.map(({ leftCents }) => String(leftCents)).join(' ');
}

/** Which grants pay which parts of invoices: by what was granted, with the hours of the calls. */
async function laid(): Promise<string[]> {
  const rows = await fixture.owner.query<{ text: string }>(`
    select concat_ws(' ', i.period, c.amount_cents || ':', p.cents, to_char(p.from_at at time zone 'UTC', 'MM-DD HH24'), '-',
      to_char(p.to_at at time zone 'UTC', 'MM-DD HH24')) as text
    from billing.laid_part p join billing.invoice i using (invoice_id) join billing.balance_credit c using (credit_id)
    order by i.number, p.place`);
  return rows.map(({ text }) => text);
}

describe('F264 a grant that is valid while a call is made', () => {
  it('pays for it, also when it has expired before the month closes, and for no call before or after it', async () => {
    await use('01-09 23', 100);
    await use('01-10 00', 200);
    await use('01-20 11', 300);
    await use('01-20 12', 400);
    await grant(10_000n, '01-10T00:30', '01-20T11:30');
    await fixture.reach('2026-02-02T00:00:00Z');
    expect(await fixture.invoices()).toEqual(['a 2026-01 open 1000']);
    expect(await laid()).toEqual(['2026-01 10000: 500 01-10 00 - 01-20 12']);
    expect(await left()).toBe('');
    expect(await fixture.balances()).toMatchObject({ promotions: '5' });
    await fixture.grant(ada, 1_000n, { from: '2026-02-02T00:00:00Z' }); // it reaches back to nothing
    await fixture.runDue();
    expect(await fixture.invoices()).toEqual(['a 2026-01 open 1000']);
    await fixture.putCard(ada, 'visa');
    await fixture.runDue();
    expect(await fixture.charges()).toEqual(['2026-01 1 succeeded 500']);
    expect(await left()).toBe('1000');
  });

  it('pays for a call before it was granted if it says so, and older debt is paid by a top-up', async () => {
    await use('01-05 00', 500);
    await fixture.putCard(ada, 'declined');
    await fixture.reach('2026-02-02T00:00:00Z');
    await fixture.reach('2026-02-20T00:00:00Z');
    expect(await fixture.invoices()).toEqual([expect.stringContaining('a 2026-01 past_due 500')]);
    await grant(200n, '01-05T00:59');
    await grant(900n, '01-05T01:00');
    await fixture.runDue();
    expect(await laid()).toEqual(['2026-01 200: 200 01-05 00 - 01-05 01']);
    expect(await left()).toBe('900');
    await fixture.putCard(ada, 'visa');
    await fixture.topUp(ada, 5_000n);
    await fixture.runDue();
    expect(await fixture.invoices()).toEqual(['a 2026-01 paid 500']);
  });

  it('pays before one that expires later, hour by hour', async () => {
    await use('01-05 00', 60);
    await use('01-06 00', 60);
    await use('01-07 00', 60);
    await grant(1_000n, '01-01T00:00');
    await grant(100n, '01-06T00:00', '03-01T00:00');
    await grant(80n, '01-01T00:00', '02-01T00:00');
    await fixture.reach('2026-02-02T00:00:00Z');
    expect(await laid()).toEqual(['2026-01 80: 80 01-05 00 - 01-06 01', '2026-01 100: 100 01-06 00 - 01-07 01']);
    expect(await fixture.invoices()).toEqual(['a 2026-01 paid 180']);
  });

  it('pays for what is carried to the next invoice, and for no more', async () => {
    await use('01-05 00', 30); // below the minimum of an invoice
    await grant(25n, '01-01T00:00', '01-10T00:00');
    await use('02-05 00', 70);
    await fixture.reach('2026-02-03T00:00:00Z');
    expect(await fixture.invoices()).toEqual(['a 2026-01 paid 0']);
    expect(await left()).toBe('25');
    await fixture.reach('2026-03-02T00:00:00Z');
    expect(await laid()).toEqual(['2026-02 25: 25 01-05 00 - 01-05 01']);
    expect(await left()).toBe('');
    expect(await fixture.invoices()).toEqual(['a 2026-01 paid 0', 'a 2026-02 open 100']);
  });

  it('pays the cent that began with its call, on the invoice that bills it', async () => {
    await fixture.putTool({ slug: 'half', ownerId: xenia, price: perCall('0.005') });
    await fixture.addUsage({ consumerId: ada, tool: 'half', hour: '2026-01-31T23:00:00Z', calls: 101 });
    await fixture.addUsage({ consumerId: ada, tool: 'half', hour: '2026-02-05T00:00:00Z', calls: 101 });
    await grant(51n, '01-01T00:00', '02-01T00:00');
    await fixture.reach('2026-03-02T00:00:00Z');
    expect(await laid()).toEqual(['2026-01 51: 50 01-31 23 - 02-01 00', '2026-02 51: 1 01-31 23 - 02-01 00']);
    expect(await left()).toBe('');
  });

  it('pays for calls that were counted late for its month', async () => {
    await use('01-05 00', 100);
    await grant(300n, '01-01T00:00', '02-10T00:00');
    await fixture.reach('2026-02-03T00:00:00Z');
    await use('01-06 00', 80);
    await use('02-20 00', 90);
    await fixture.reach('2026-03-02T00:00:00Z');
    expect(await laid()).toEqual(['2026-01 300: 100 01-05 00 - 01-05 01', '2026-02 300: 80 01-01 00 - 02-01 00']);
    expect(await left()).toBe('');
  });

  it('pays invoices of a suspended account, so that later calls find the money gone', async () => {
    await use('01-05 00', 100);
    await use('02-05 00', 100);
    await grant(150n, '01-01T00:00');
    await fixture.reach('2026-01-20T00:00:00Z');
    fixture.setCollectMax(99n);
    await fixture.reach('2026-03-02T00:00:00Z');
    expect(await laid()).toEqual(['2026-01 150: 100 01-05 00 - 01-05 01', '2026-02 150: 50 02-05 00 - 02-05 01']);
    expect(await fixture.invoices()).toEqual(['a 2026-01 open 100', 'a 2026-02 open 100']);
  });
});

describe('F265 the rest of a grant that has ended', () => {
  it('is taken back when the watermark is 24 hours past its end, less what its calls need until they are invoiced', async () => {
    await use('01-05 00', 100);
    await grant(300n, '01-01T00:00', '01-10T00:30');
    await fixture.reach('2026-01-11T00:59:00Z');
    expect(await left()).toBe('300');
    await use('01-10 00', 50); // counted a day after its hour
    await fixture.reach('2026-01-11T01:00:00Z');
    expect(await left()).toBe('150');
    await use('01-11 00', 50);
    await fixture.reach('2026-02-02T00:00:00Z');
    expect(await fixture.invoices()).toEqual(['a 2026-01 open 200']);
    expect(await left()).toBe('');
    expect(await fixture.balances()).toMatchObject({ promotions: '1.5' });
  });

  it('waits for the watermark, however late it is', async () => {
    await grant(300n, '01-01T00:00', '01-10T00:00');
    await fixture.reach('2026-01-10T23:00:00Z');
    fixture.clock.set(Date.parse('2026-01-30T00:00:00Z'));
    await fixture.runDue();
    expect(await left()).toBe('300');
    await fixture.reach('2026-01-30T00:00:00Z');
    expect(await left()).toBe('');
  });

  it('of a voided invoice pays for calls of 30 days, and expires then', async () => {
    fixture.setCollectMax(99n);
    await use('01-05 00', 100);
    await grant(100n, '01-01T00:00', '01-10T00:00');
    await fixture.reach('2026-02-10T00:00:00Z');
    expect(await left()).toBe('');
    await fixture.voidInvoice(await fixture.invoiceId(ada, '2026-01'), byOperator);
    expect(await left()).toBe('100');
    expect(await laid()).toEqual([]);
    await use('03-11 23', 60);
    await use('03-12 00', 40);
    await fixture.reach('2026-04-02T00:00:00Z');
    expect(await laid()).toEqual(['2026-03 100: 60 03-11 23 - 03-12 00']);
    expect(await left()).toBe('');
    expect(await fixture.balances()).toMatchObject({ promotions: '0.6' });
  });
});
