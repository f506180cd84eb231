import '@mantine/charts/styles.css';
import { SankeyChart } from '@mantine/charts';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** A stream of money. Its width is for drawing alone. */
export interface Stream {
  readonly from: string;
  readonly to: string;
  readonly width: number;
}

interface Flowing {
  readonly streams: readonly Stream[];
  /** The amounts at the stations, as they are shown, by their names. */
  readonly says: Readonly<Record<string, string>>;
  readonly height?: number;
}

/** Money on its way between stations, as wide as the sums are. */
export function Flow({ streams, says, height = 180 }: Flowing): ReactNode {
  const isWide = useMediaQuery('(min-width: 48em)'); // a phone has no place for the amounts, which the table has
  const names = [...new Set(streams.flatMap(({ from, to }) => [from, to]))];
  return (
    <SankeyChart
      height={height}
      nodePadding={36}
      nodeColor="var(--chart-first)"
      linkColor="var(--chart-second)"
      colors={['var(--chart-first)']}
      textColor="var(--mantine-color-text)"
      linkOpacity={0.35}
      withTooltip={false}
      valueFormatter={() => ''}
      data={{
        nodes: names.map((name) => ({ name: isWide ? `${name} ${says[name] ?? ''}` : name })),
        links: streams.map(({ from, to, width }) => ({
          source: names.indexOf(from),
          target: names.indexOf(to),
          value: width,
        })),
      }}
    />
  );
}
