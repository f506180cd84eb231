import type { Row } from './row.ts';
import { singlesRow } from './rows/r1-singles.ts';
import { batchesRow } from './rows/r2-batches.ts';
import { backlogRow } from './rows/r3-backlog.ts';
import { storeRow } from './rows/r4-store.ts';
import { fullTablesRow } from './rows/r5-full-tables.ts';
import { latencyRow } from './rows/r6-latency.ts';
import { visibleRow } from './rows/r7b-visible.ts';
import { cpuRows } from './rows/r8-cpu.ts';
import { rollupWalRow } from './rows/r9-rollup-wal.ts';
import { closeRow } from './rows/r10-close.ts';
import { monthTwelveRow } from './rows/r10b-month-twelve.ts';
import { builderUsageRow } from './rows/r10c-builder-usage.ts';
import { catchUpRow } from './rows/r12-catch-up.ts';
import { noBrokerRows } from './rows/r13-no-broker.ts';
import { askRows } from './rows/g1-ask.ts';
import { captureRow } from './rows/g3-capture.ts';
import { tracesRow } from './rows/t1-traces.ts';
import { recordRows } from './rows/c1-record.ts';

export const rows: readonly Row[] = [
  singlesRow,
  batchesRow,
  backlogRow,
  storeRow,
  fullTablesRow,
  latencyRow,
  visibleRow,
  ...cpuRows,
  rollupWalRow,
  closeRow,
  monthTwelveRow,
  builderUsageRow,
  catchUpRow,
  ...noBrokerRows,
  ...askRows,
  captureRow,
  tracesRow,
  ...recordRows,
];

export function listRows(): string {
  return rows
    .map(({ id, ours, ceiling }) => `${id.padEnd(5)} ${ours}\n${ceiling ? `      against ${ceiling}\n` : ''}`)
    .join('');
}
