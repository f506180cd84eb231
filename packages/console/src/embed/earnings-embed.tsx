import type { ReactNode } from 'react';
import { Money, Quantity } from '../patterns/money.tsx';
import { revenueBarOf, revenueColumns, revenueSeries } from '../revenue/revenue-columns.tsx';
import { MonthEmbed } from './month-embed.tsx';

/** The earnings of the account’s tools this month. */
export function EarningsEmbed({ token }: { readonly token: string }): ReactNode {
  return (
    <MonthEmbed
      token={token}
      role="builder"
      title="Earnings of this month"
      of="Revenue"
      empty="No calls of your tools yet this month."
      facts={({ earning_usd: earning, fee_usd: fee, calls }) => ({
        'You earn': <Money usd={earning} />,
        'Platform fee': <Money usd={fee} />,
        Calls: <Quantity of={calls} />,
      })}
      chart={{ isStacked: true, series: revenueSeries, columns: revenueColumns, bar: revenueBarOf }}
    />
  );
}
