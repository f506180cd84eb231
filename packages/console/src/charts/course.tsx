import '@mantine/core/styles/ColorSwatch.css';
import '@mantine/charts/styles.css';
import { CompositeChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import { Said } from './said.tsx';

/** A day of a month as it is drawn. What is not known of it is left out. */
export interface CourseDay {
  readonly label: string;
  readonly spent?: number;
  readonly expected?: number;
  readonly band?: readonly [number, number];
  /** The amounts of the API, as they are shown. */
  readonly says: readonly string[];
}

interface Coursed {
  readonly days: readonly CourseDay[];
  readonly budget: { readonly height: number; readonly says: string } | null;
}

const forecastSeries = [
  { name: 'band', label: 'Four of five months', color: 'var(--chart-band)', type: 'area' },
  { name: 'expected', label: 'Expected', color: 'var(--chart-second)', type: 'line', strokeDasharray: '5 5' },
] as const;

/** A month by its days, added up by the service: what was spent, what is expected, and the band around it. */
export function Course({ days, budget }: Coursed): ReactNode {
  const isForecast = days.some(({ expected }) => expected !== undefined);
  return (
    <CompositeChart
      h={220}
      data={[...days]}
      dataKey="label"
      series={[
        ...(isForecast ? forecastSeries : []),
        { name: 'spent', label: 'Spent', color: 'var(--chart-first)', type: 'line' },
      ]}
      curveType="linear"
      withDots={false}
      withYAxis={false}
      withLegend
      gridAxis="none"
      tickLine="none"
      xAxisProps={{ minTickGap: 12 }}
      areaProps={{ strokeWidth: 0, fillOpacity: 1, connectNulls: false }}
      accessibilityLayer={false}
      {...(budget && {
        referenceLines: [
          { y: budget.height, label: budget.says, color: 'var(--chart-limit)', ifOverflow: 'extendDomain' },
        ],
      })}
      tooltipProps={{
        content: ({ active, label }) => (active ? <Said of={days.find((day) => day.label === label)} /> : null),
      }}
    />
  );
}
