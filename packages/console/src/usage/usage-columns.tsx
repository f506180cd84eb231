import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { PassName } from '../passes/pass-name.tsx';
import type { Column } from '../patterns/data-table.tsx';
import { dayInWords } from '../patterns/day.ts';
import { TextLink } from '../patterns/links.tsx';
import { Money, Quantity } from '../patterns/money.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { hoursOfDay, type UsageSearch } from './usage-search.ts';

export type Row = Schemas['UsageRow'];

/** The columns of the rows that a question has. */
export function columnsOf(search: UsageSearch, rows: readonly Row[]): readonly Column<Row>[] {
  return [
    ...(search.granularity === undefined ? [] : [{ title: 'Start (UTC)', cell: (row: Row) => startOf(search, row) }]),
    ...dimensions.filter(({ name }) => rows.some((row) => row[name] !== undefined)),
    { title: 'Calls', isFigure: true, cell: ({ calls }) => <Quantity of={calls} /> },
    { title: 'Failed', isFigure: true, cell: ({ failures }) => <Quantity of={failures} /> },
    ...money.filter(({ name }) => rows.some((row) => row[name] !== undefined)),
  ];
}

function startOf(search: UsageSearch, { start = '' }: Row): ReactNode {
  if (search.granularity === 'month') return start.slice(0, 7);
  const asked = { ...search, page: '' };
  if (search.granularity === 'hour') return `${dayInWords(start)}, ${start.slice(11, 16)}`;
  return (
    <TextLink to="/usage" search={{ ...asked, ...hoursOfDay(start) }}>
      {dayInWords(start)}
    </TextLink>
  );
}

const dimensions: readonly (Column<Row> & { readonly name: keyof Row })[] = [
  {
    name: 'tool_id',
    title: 'Tool',
    cell: ({ tool_id: tool = '' }) => (
      <TextLink to="/calls" search={{ tool_id: tool }}>
        {tool}
      </TextLink>
    ),
  },
  { name: 'pass_id', title: 'Pass', cell: ({ pass_id: id = null }) => <PassName id={id} otherwise="without a pass" /> },
  { name: 'consumer_id', title: 'Consumer', cell: ({ consumer_id: id }) => id },
  {
    name: 'success',
    title: 'Outcome',
    cell: ({ success }) => <StatusBadge status={success === true ? 'succeeded' : 'failed'} />,
  },
  {
    name: 'tags',
    title: 'Tag',
    cell: ({ tags = {} }) => Object.entries(tags).map(([name, value]) => (value === null ? `no ${name}` : value)),
  },
];

const money: readonly (Column<Row> & { readonly name: keyof Row })[] = [
  { name: 'charge_usd', title: 'Charge', isFigure: true, cell: ({ charge_usd: usd }) => <Money usd={usd} /> },
  { name: 'fee_usd', title: 'Fee', isFigure: true, cell: ({ fee_usd: usd }) => <Money usd={usd} /> },
  { name: 'earning_usd', title: 'Earning', isFigure: true, cell: ({ earning_usd: usd }) => <Money usd={usd} /> },
];
