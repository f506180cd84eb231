import type { ReactNode } from 'react';
import { Bars, ChartCard } from '../charts/chart-card.tsx';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { formatQuantity } from '../patterns/format-usd.ts';
import { Quantity } from '../patterns/money.tsx';
import { Time } from '../patterns/time.tsx';
import type { OperatorSchemas } from './operator-api.ts';

type Minute = OperatorSchemas['OperatorLagMinute'];

const columns: readonly Column<Minute>[] = [
  { title: 'Minute', cell: ({ starts_at: at }) => <Time at={at} /> },
  { title: 'Seconds behind', isFigure: true, cell: ({ lag_seconds: seconds }) => <Quantity of={seconds} /> },
];

const minuteOfDay = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const timeOf = ({ starts_at: at }: Minute): string => minuteOfDay.format(new Date(at));

/** How far counting was behind in each minute of the last hour. */
export function LagCourse({ minutes }: { readonly minutes: readonly Minute[] }): ReactNode {
  const [first] = minutes;
  const [most] = minutes.toSorted((left, right) => right.lag_seconds - left.lag_seconds);
  if (first === undefined || most === undefined) return null;
  return (
    <ChartCard
      title="How far counting was behind"
      says={`At most ${formatQuantity(most.lag_seconds)} s in a minute since ${timeOf(first)}, at ${timeOf(most)}. Some seconds are always there: counting waits for calls that are still on their way.`}
      chart={
        <Bars
          series={['Seconds behind']}
          bars={minutes.map((minute) => ({
            label: timeOf(minute),
            heights: [minute.lag_seconds],
            says: [`${formatQuantity(minute.lag_seconds)} s behind`],
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
