import type { Schemas } from '@tollgate/sdk/edge';
import type { Column } from '../patterns/data-table.tsx';
import { Money } from '../patterns/money.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';

/** The columns of an invoice beside its number. */
export const invoiceColumns: readonly Column<Schemas['Invoice']>[] = [
  { title: 'Period', cell: ({ period }) => period },
  { title: 'State', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Total', isFigure: true, cell: ({ total_usd: usd }) => <Money usd={usd} /> },
  { title: 'Due', cell: ({ due_at: at }) => <Time at={at} /> },
];
