import '@mantine/core/styles/ColorSwatch.css';
import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import { Said } from './said.tsx';

/** A place of a chart. Its numbers are for drawing alone: `says` has what is read. */
export interface Bar {
  readonly label: string;
  /** One for each series. */
  readonly heights: readonly number[];
  /** The amounts and counts of the API, as they are shown. */
  readonly says: readonly string[];
}

export interface Barred {
  readonly bars: readonly Bar[];
  /** Names the bars of one place, in order. */
  readonly series: readonly string[];
  /** Bars from left to right, with their names beside them. */
  readonly isSideways?: boolean;
  /** The series of a place are parts of one bar. */
  readonly isStacked?: boolean;
  /** Opens what a bar is made of. */
  readonly onOpen?: (index: number) => void;
}

const colors = ['var(--chart-first)', 'var(--chart-second)'];

/** Bars without a scale: the numbers of a scale would be none of the API's. */
export function Bars({ bars, series, isSideways = false, isStacked = false, onOpen }: Barred): ReactNode {
  const drawn = bars.map(({ label, heights }, index) => ({ index, label, ...Object.fromEntries(heights.entries()) }));
  const shared = { dataKey: 'label', gridAxis: 'none', tickLine: 'none' } as const;
  return (
    <BarChart
      h={isSideways ? 40 + bars.length * 34 : 200}
      data={drawn}
      {...shared}
      type={isStacked ? 'stacked' : 'default'}
      orientation={isSideways ? 'vertical' : 'horizontal'}
      series={series.map((label, index) => ({ name: String(index), label, color: colors[index] ?? 'gray' }))}
      withYAxis={isSideways}
      withXAxis={!isSideways}
      withLegend={series.length > 1}
      yAxisProps={{ width: 110, tickFormatter: shorten }}
      xAxisProps={{ minTickGap: 12 }}
      maxBarWidth={24}
      accessibilityLayer={false}
      barProps={{
        isAnimationActive: false,
        radius: 2,
        // The whole height of a place is clicked, since a bar may be low.
        ...(onOpen && {
          background: { fill: 'transparent' },
          cursor: 'pointer',
          onClick: (_: unknown, index: number) => onOpen(index),
        }),
      }}
      tooltipProps={{
        content: ({ active, label }) => (active ? <Said of={bars.find((bar) => bar.label === label)} /> : null),
      }}
    />
  );
}

function shorten(label: string): string {
  return label.length > 15 ? `${label.slice(0, 14)}…` : label;
}
