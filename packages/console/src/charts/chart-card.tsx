import { Card, Text } from '@mantine/core';
import { lazy, type ReactNode } from 'react';
import { Section } from '../patterns/section.tsx';
import { ChartFrame } from './chart-frame.tsx';
import classes from './charts.module.css';

// Charts weigh more than all else. A page that shows one loads them, once its numbers stand.
export const Bars = lazy(async () => ({ default: (await whenIdle().then(() => import('./bars.tsx'))).Bars }));
export const Course = lazy(async () => ({ default: (await whenIdle().then(() => import('./course.tsx'))).Course }));
export const Flow = lazy(async () => ({ default: (await whenIdle().then(() => import('./flow.tsx'))).Flow }));

const idleWithinMs = 1_000;

/** Resolves when the page has nothing else to do, or after a second. */
async function whenIdle(): Promise<void> {
  await new Promise<void>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: idleWithinMs });
    else setTimeout(resolve, idleWithinMs / 4); // Safari has no such callback
  });
}

interface Charted {
  readonly title: string;
  /** Says in a sentence what the chart shows. */
  readonly says: string;
  readonly chart: ReactNode;
  /** The same numbers: they are read, and lead to what they are made of. */
  readonly table: ReactNode;
  readonly height?: number;
  /** The table stands there, and needs no click. */
  readonly isOpen?: boolean;
}

/** A chart for those who see it, with the same numbers as a table for everybody. */
export function ChartCard({ title, says, chart, table, height = 200, isOpen = false }: Charted): ReactNode {
  return (
    <Card withBorder padding="md">
      <Section title={title}>
        <Text size="sm" c="dimmed">
          {says}
        </Text>
        <ChartFrame title={title} height={height}>
          {chart}
        </ChartFrame>
        <details open={isOpen} className={classes.table}>
          <summary>The same as a table</summary>
          {table}
        </details>
      </Section>
    </Card>
  );
}
