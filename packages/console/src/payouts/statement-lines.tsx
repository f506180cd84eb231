import { Button, Group, Text } from '@mantine/core';
import type { Schemas } from '@tollgate/sdk/edge';
import { type ReactNode, useState } from 'react';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { dayInWords } from '../patterns/day.ts';
import { TextLink } from '../patterns/links.tsx';
import { Money } from '../patterns/money.tsx';
import { Section } from '../patterns/section.tsx';
import { hoursOfDay } from '../usage/usage-search.ts';

type Line = Schemas['StatementLine'];

const linesShown = 20;

const columns: readonly Column<Line>[] = [
  {
    title: 'Tool',
    cell: ({ tool_id: tool }) => (
      <TextLink to="/usage" search={{ role: 'builder', tool_id: tool, by: 'consumer_id' }}>
        {tool}
      </TextLink>
    ),
  },
  { title: 'Charge', cell: ({ name, type }) => (type === 'usage' ? (name ?? 'per use') : type) },
  { title: 'Day (UTC)', cell: (line) => <DayOf line={line} /> },
  { title: 'Charged', isFigure: true, cell: ({ charge_usd: usd }) => <Money usd={usd} /> },
  { title: 'Fee', isFigure: true, cell: ({ fee_usd: usd }) => <Money usd={usd} /> },
  { title: 'Earning', isFigure: true, cell: ({ earning_usd: usd }) => <Money usd={usd} /> },
];

function DayOf({ line: { day, period, tool_id: tool } }: { readonly line: Line }): ReactNode {
  if (day === null) return period;
  return (
    <TextLink to="/usage" search={{ ...hoursOfDay(day), role: 'builder', tool_id: tool }}>
      {dayInWords(day)}
    </TextLink>
  );
}

/** The statement: what the payout is made of, by tool, charge and day. */
export function StatementLines({ lines }: { readonly lines: readonly Line[] }): ReactNode {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? lines : lines.slice(0, linesShown);
  return (
    <Section title="Statement">
      {lines.length === 0 ? (
        <Text>It has no lines.</Text>
      ) : (
        <DataTable
          label="Statement"
          columns={columns}
          rows={shown}
          keyOf={({ price_id: price, charge, type, period, day }, index) =>
            `${price} ${charge} ${type} ${period} ${day} ${index}`
          }
        />
      )}
      {shown.length < lines.length && (
        <Group>
          <Button variant="default" onClick={() => setIsWhole(true)}>
            Show all {lines.length} lines
          </Button>
        </Group>
      )}
    </Section>
  );
}
