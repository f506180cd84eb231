import { micros, zeroMicros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import type { BuilderBalances } from './plan-payout.ts';

const none: BuilderBalances = {
  payableMicros: zeroMicros,
  inTransitMicros: zeroMicros,
  failedNetCents: 0n,
  feeCents: 0n,
};

/**
 * One statement, so that all sums come from one snapshot. A payout that fails meanwhile would move its net from one sum
 * to another.
 */
const text = `
select b.builder_id, l.payable, l.in_transit, p.failed_net, p.fee
from unnest($1::uuid[]) as b (builder_id)
cross join lateral (
  select coalesce(-sum(balance_micros) filter (where kind = 'builder_payable'), 0) as payable,
    coalesce(-sum(balance_micros) filter (where kind = 'in_transit'), 0) as in_transit
  from billing.ledger_account where owner_id = b.builder_id and kind in ('builder_payable', 'in_transit')
) as l
cross join lateral (
  select coalesce(sum(net_cents) filter (where status = 'failed'), 0) as failed_net, coalesce(sum(fee_cents), 0) as fee
  from billing.payout where builder_id = b.builder_id
) as p`;

export async function readBuilderBalances(
  tx: Transaction,
  builderIds: readonly string[],
): Promise<(builderId: string) => BuilderBalances> {
  const rows = await tx.query<Row>({ name: 'billing.read_builder_balances', text }, [builderIds]);
  const byBuilder = new Map(rows.map((row) => [row.builder_id, fromRow(row)]));
  return (builderId) => byBuilder.get(builderId) ?? none;
}

interface Row {
  readonly builder_id: string;
  readonly payable: string;
  readonly in_transit: string;
  readonly failed_net: string;
  readonly fee: string;
}

function fromRow(row: Row): BuilderBalances {
  return {
    payableMicros: micros(BigInt(row.payable)),
    inTransitMicros: micros(BigInt(row.in_transit)),
    failedNetCents: BigInt(row.failed_net),
    feeCents: BigInt(row.fee),
  };
}
