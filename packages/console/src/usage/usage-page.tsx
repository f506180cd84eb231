import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { ask } from '../api/queries.ts';
import { Bars } from '../charts/chart-card.tsx';
import { ChartFrame } from '../charts/chart-frame.tsx';
import { DataTable } from '../patterns/data-table.tsx';
import { dayInWords } from '../patterns/day.ts';
import { saveText } from '../patterns/save-text.ts';
import { Empty } from '../patterns/empty.tsx';
import { Facts } from '../patterns/facts.tsx';
import { formatQuantity, formatUsd } from '../patterns/format-usd.ts';
import { ButtonLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money, Quantity } from '../patterns/money.tsx';
import { Page } from '../patterns/page.tsx';
import { Time } from '../patterns/time.tsx';
import { columnsOf, type Row } from './usage-columns.tsx';
import { usageCsv } from './usage-csv.ts';
import { UsageFilter } from './usage-filter.tsx';
import { usageQueryOf, type UsageSearch } from './usage-search.ts';

/** More rows than these are on further pages. The file has all of them. */
const rowsOfPage = 100;

/** Everything that is counted, as one asks for it. */
export function UsagePage(): ReactNode {
  const search = useSearch({ from: '/shell/usage' });
  const usage = useQuery(ask('getUsage', { query: usageQueryOf(search) }));
  return (
    <Page title="Usage">
      <UsageFilter search={search} />
      <Loaded of={usage}>
        {(sums) => (sums.usage.length === 0 ? <NoUsage /> : <Shown search={search} sums={sums} />)}
      </Loaded>
    </Page>
  );
}

function Shown({ search, sums }: { readonly search: UsageSearch; readonly sums: Schemas['Usage'] }): ReactNode {
  const { usage: rows, totals, counted_through: through } = sums;
  const page = Math.max(1, Math.trunc(Number(search.page ?? 1)) || 1);
  const shown = rows.slice((page - 1) * rowsOfPage, page * rowsOfPage);
  return (
    <>
      <Facts
        facts={{
          Calls: <Quantity of={totals.calls} />,
          ...(totals.charge_usd !== undefined && { Charge: <Money usd={totals.charge_usd} /> }),
          ...(totals.earning_usd !== undefined && { 'You earn': <Money usd={totals.earning_usd} /> }),
          'Counted through': <Time at={through} />,
        }}
      />
      {search.by === undefined && search.granularity !== undefined && <OverTime rows={rows} />}
      <Group>
        <Button variant="default" onClick={() => saveText('usage.csv', 'text/csv', usageCsv(rows))}>
          Download CSV
        </Button>
        {rows.length > rowsOfPage && (
          <Text size="sm">
            Rows {formatQuantity((page - 1) * rowsOfPage + 1)} to{' '}
            {formatQuantity((page - 1) * rowsOfPage + shown.length)} of {formatQuantity(rows.length)}
          </Text>
        )}
      </Group>
      <DataTable label="Usage" columns={columnsOf(search, rows)} rows={shown} keyOf={(_, index) => String(index)} />
      <RowPages page={page} isLast={page * rowsOfPage >= rows.length} />
    </>
  );
}

function OverTime({ rows }: { readonly rows: readonly Row[] }): ReactNode {
  return (
    <ChartFrame title="Usage over time" height={200}>
      <Bars
        series={['Charge']}
        bars={rows.map(({ start = '', charge_usd: usd = 0, calls }) => ({
          label: start.slice(11, 13) === '00' ? dayInWords(start) : `${dayInWords(start)}, ${start.slice(11, 16)}`,
          heights: [usd],
          says: [formatUsd(usd), `${formatQuantity(calls)} calls`],
        }))}
      />
    </ChartFrame>
  );
}

function RowPages({ page, isLast }: { readonly page: number; readonly isLast: boolean }): ReactNode {
  if (page === 1 && isLast) return null;
  return (
    <Group component="nav" aria-label="Pages of the list" gap="xs">
      {page > 1 && (
        <ButtonLink variant="default" to="." search={(asked) => ({ ...asked, page: String(page - 1) })}>
          Page before
        </ButtonLink>
      )}
      {!isLast && (
        <ButtonLink variant="default" to="." search={(asked) => ({ ...asked, page: String(page + 1) })}>
          Next page
        </ButtonLink>
      )}
    </Group>
  );
}

function NoUsage(): ReactNode {
  return (
    <Empty title="Nothing was counted in this time.">
      <Text>Choose another time above, or let an agent make a call.</Text>
      <ButtonLink variant="default" to="/passes/new">
        Make a pass
      </ButtonLink>
    </Empty>
  );
}
