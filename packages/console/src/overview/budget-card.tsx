import { Card, Text } from '@mantine/core';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import classes from '../patterns/figures.module.css';
import { Money } from '../patterns/money.tsx';
import { Time } from '../patterns/time.tsx';

/** Shows what may be spent, and what has been. */
export function BudgetCard({ budget }: { readonly budget: Schemas['Budget'] | null }): ReactNode {
  return (
    <Card withBorder padding="md">
      <Text size="sm" c="dimmed">
        Budget
      </Text>
      {budget === null ? (
        <Text>No budget: only the caps of your passes limit what is spent.</Text>
      ) : (
        <Spent {...budget} />
      )}
    </Card>
  );
}

function Spent(budget: Schemas['Budget']): ReactNode {
  const { amount_usd: amount, spent_usd: spent, held_usd: held, remaining_usd: remaining, window } = budget;
  return (
    <>
      <Text size="xl" fw={700}>
        <Money usd={amount} /> a {window}
      </Text>
      <meter className={classes.meter} min={0} max={amount} value={spent} aria-label="Spent of the budget" />
      <Text size="sm">
        <Money usd={spent} /> spent, <Money usd={held} /> held, <Money usd={remaining} /> left
      </Text>
      <Text size="sm" c="dimmed">
        Begins anew <Time at={budget.resets_at} />
      </Text>
    </>
  );
}
