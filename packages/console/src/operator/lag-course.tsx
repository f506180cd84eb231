import type { ReactNode } from 'react';
import { Bars, ChartCard } from '../charts/chart-card.tsx';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Quantity } from '../patterns/money.tsx';
import { Time } from '../patterns/time.tsx';
import type { OperatorSchemas } from './operator-api.ts';

type Minute = OperatorSchemas['OperatorLagMinute'];

const columns: readonly Column<Minute>[] = [
  { title: 'Minute', cell: ({ starts_at: at }) => <Time at={at} /> },
  { title: 'Seconds behind', isFigure: true, cell: ({ lag_seconds: seconds }) => <Quantity of={seconds} /> },
];

const minuteOfDay = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

/** How far counting was behind in each minute of the last hour. */
export function LagCourse({ minutes }: { readonly minutes: readonly Minute[] }): ReactNode {
  if (minutes.length === 0) return null;
  return (
    <ChartCard
      title="How far counting was behind"
      says="The largest lag of each minute of the last hour, in seconds. It begins anew when the service is started."
      chart={
        <Bars
          series={['Seconds behind']}
          bars={minutes.map(({ starts_at: at, lag_seconds: seconds }) => ({
            label: minuteOfDay.format(new Date(at)),
            heights: [seconds],
            says: [`${seconds} s behind`],
          }))}
        />
      }
      table={
        <DataTable
          label="The lag by minutes"
          columns={columns}
          rows={minutes.toReversed()}
          keyOf={({ starts_at: at }) => at}
        />
      }
    />
  );
}
