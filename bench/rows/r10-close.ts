import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { systemClock } from '@tollgate/kernel/clock';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { makeMonthTemplate, type MonthClone, type MonthTemplate } from '../closing/month-template.ts';
import { hoursPerPair, toolsPerConsumer } from '../closing/put-usage.ts';
import { defineRow, type Side } from '../row.ts';

const pairsDefault = 1_000_000;

/** A month's close, against COPY of all that it writes, with the triggers that check it. */
export const closeRow = defineRow({
  id: 'R10',
  ours: `(consumer, tool) pairs per second when a month of ${pairsDefault} pairs is closed, ${toolsPerConsumer} per consumer, ${hoursPerPair} hours of usage each`,
  ceiling:
    'pairs per second of COPY of the same invoices, lines, names and ledger rows into the same tables, triggers on',
  unit: '/s',
  figure: 'value',
  isHigherBetter: true,
  goal: { of: 'ratio', bound: { atLeast: 0.6 } },
  isComparable: false,
  fullSize: { pairs: pairsDefault },
  async openOurs({ sizes }) {
    const pairs = sizes.pairs ?? pairsDefault;
    return closeSide(await makeMonthTemplate({ pairs, month: 1 }), pairs);
  },
  openCeiling: (_context, { template, pairs }) => openCopy(template, pairs),
});

interface CloseSide extends Side {
  readonly template: MonthTemplate;
  readonly pairs: number;
}

function closeSide(template: MonthTemplate, pairs: number): CloseSide {
  let clone: MonthClone | undefined;
  return {
    template,
    pairs,
    processes: template.processes,
    async prepare() {
      clone = await template.clone();
    },
    async measure() {
      if (clone === undefined) throw new Error('the round was not prepared');
      return { events: pairs, value: pairs / (await clone.closeMonth()) };
    },
    close: template.close,
  };
}

/** In the order in which triggers look for what a row belongs to. */
const tables = [
  'invoice',
  'invoice_line',
  'invoice_parties',
  'invoice_tool',
  'ledger_account',
  'ledger_transaction',
  'ledger_entry',
  'closed_period',
];

/** Copies what a real close has written out of one clone, and into another in each round. */
async function openCopy(template: MonthTemplate, pairs: number): Promise<Side> {
  const source = await template.clone();
  await source.closeMonth();
  const written = await readTables(source.ownerUrl);
  let owner: pg.Client | undefined;
  return {
    processes: template.processes,
    async prepare() {
      const { ownerUrl } = await template.clone();
      owner = new pg.Client({ connectionString: ownerUrl });
      await owner.connect();
    },
    async measure() {
      if (owner === undefined) throw new Error('the round was not prepared');
      const startedMs = systemClock.monotonicMs();
      await owner.query('begin');
      for (const [table, rows] of written)
        await pipeline(Readable.from(rows), owner.query(copyFrom(`copy billing.${table} from stdin`)));
      await owner.query('commit');
      const seconds = (systemClock.monotonicMs() - startedMs) / 1_000;
      await owner.end(); // the next clone drops the database
      return { events: pairs, value: pairs / seconds };
    },
    close: async () => undefined, // the template belongs to ours
  };
}

/** The chunks as they came: PostgreSQL takes no message of more than a gigabyte, and one table of a million pairs may be more. */
async function readTables(url: string): Promise<Map<string, Buffer[]>> {
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  const written = new Map<string, Buffer[]>();
  for (const table of tables) {
    const copying = reader.query(copyTo(`copy billing.${table} to stdout`));
    const rows = (await copying.toArray()) as Buffer[]; // no encoding is set, so they are bytes
    if (rows.length === 0) throw new Error(`the close wrote nothing into ${table}`);
    written.set(table, rows);
  }
  await reader.end();
  return written;
}
