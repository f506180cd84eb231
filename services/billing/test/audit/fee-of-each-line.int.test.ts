import { describe, expect, it } from '@jest/globals';
import { useOnce } from '@tollgate/testkit/use-world';
import { ada, bob, xenia } from '../support/cast.ts';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import { feeOn, feeSql } from '../../src/fees/fee.ts';
import { byOperator } from '../support/by-operator.ts';
import { createCollectionFixture } from '../support/collection-fixture.ts';
import { perCall } from '../support/invoicing-fixture.ts';
import { planted } from '../support/planted.ts';

/** Ada and Bob pay 1,200 USD each for two tools of one builder. A part of Ada's comes back between a month and the next. */
const fixture = useOnce(async () => {
  const fixture = await createCollectionFixture();
  const callBothTools = async (hour: string) => {
    for (const consumerId of [ada, bob])
      for (const [tool, calls] of Object.entries({ maps: 900, search: 300 }))
        await fixture.addUsage({ consumerId, tool, hour, calls });
  };
  for (const slug of ['maps', 'search']) await fixture.putTool({ slug, ownerId: xenia, price: perCall('1') });
  for (const consumerId of [ada, bob]) await fixture.putCard(consumerId, 'visa');
  await callBothTools('2026-01-05T00:00:00Z');
  await fixture.reach('2026-02-02T00:00:00Z');
  const invoiceId = await fixture.invoiceId(ada, '2026-01');
  await fixture.refundInvoice({ invoiceId, amountCents: 777n, idempotencyKey: undefined, by: byOperator });
  await callBothTools('2026-02-05T00:00:00Z');
  await fixture.reach('2026-03-02T00:00:00Z');
  return fixture;
});

/** Moves a micro-dollar of fee from the first of the lines to the last. */
const movedBetween = (lines: string) => `
  with line as (select ctid as at, row_number() over (order by place) as first, row_number() over (order by place desc) as last
    from ${lines})
  update ${lines.split(' where ')[0] ?? ''} l set fee_micros = fee_micros + moved, earning_micros = earning_micros - moved
  from line cross join lateral (select case when first = 1 then -1 else 1 end as moved) m
  where l.ctid = line.at and (first = 1 or last = 1)`;

async function examplesWith(sql: string): Promise<readonly string[]> {
  const { differences } = await planted(fixture.owner, sql, checkLedger);
  const check = 'the fee on each line is that of its place in its builder’s gross';
  return differences.find((difference) => difference.check === check)?.examples ?? [];
}

describe('F278 the ledger check replays the fee of each line', () => {
  it('and finds nothing where releases and refunds took turns', async () => {
    await expect(fixture.proveLedger()).resolves.toBeUndefined();
  });

  it.each([
    [
      'released',
      `billing.released_line where released_by = (select invoice_id from billing.invoice order by number desc limit 1)`,
    ],
    ['refunded', 'billing.refunded_line where true'],
  ])('and names both lines between which a fee was moved: %s', async (what, lines) => {
    const examples = await examplesWith(movedBetween(lines));
    expect(examples).toHaveLength(2);
    expect(examples).toContainEqual(
      expect.stringMatching(new RegExp(`, ${what}, of builder e.*: fee -?\\d+, expected `)),
    );
  });

  it('by the same fee as is taken', async () => {
    const amounts = [-5n, 0n, 1_000_000_000n, 1_000_000_024n, 1_000_000_025n, 1_000_000_049n, 7_777_777_777_777n];
    const text = `select ${feeSql('gross::numeric')}::text as fee from unnest($1::bigint[]) with ordinality as t (gross, place) order by place`;
    const rows = await fixture.owner.query<{ fee: string }>(text, [amounts.map(String)]);
    expect(rows.map(({ fee }) => BigInt(fee))).toEqual(
      amounts.map((gross) => feeOn(gross as Parameters<typeof feeOn>[0])),
    );
  });
});
