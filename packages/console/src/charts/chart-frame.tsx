import { Skeleton } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import classes from './charts.module.css';

interface Framed {
  readonly title: string;
  readonly height: number;
  readonly children: ReactNode;
}

/** The place of a chart. The table below it has the same numbers, for whoever does not see it. */
export function ChartFrame({ title, height, children }: Framed): ReactNode {
  return (
    <div role="img" aria-label={`${title}. The table below has the same numbers.`} className={classes.chart}>
      <Suspense fallback={<Skeleton height={height} />}>{children}</Suspense>
    </div>
  );
}
