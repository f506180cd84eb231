import type { ReactNode } from 'react';
import { spendBarOf, spendColumns } from '../overview/spend-columns.tsx';
import { Money, Quantity } from '../patterns/money.tsx';
import { MonthEmbed } from './month-embed.tsx';

/** The spending of the account this month. */
export function UsageEmbed({ token }: { readonly token: string }): ReactNode {
  return (
    <MonthEmbed
      token={token}
      role="consumer"
      title="Usage of this month"
      of="Spent"
      empty="No calls yet this month."
      facts={({ calls, charge_usd: charge }) => ({ Calls: <Quantity of={calls} />, Charge: <Money usd={charge} /> })}
      chart={{ series: ['Charge'], columns: spendColumns, bar: spendBarOf }}
    />
  );
}
