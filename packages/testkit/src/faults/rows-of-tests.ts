import { faultCatalogue } from './fault-catalogue.ts';
import type { FaultRow } from './fault-report.ts';

/** One test that ran, or was skipped. */
export interface TestOutcome {
  /** From the root of the repository. */
  readonly file: string;
  /** The describes around it, from the outside, and its own. */
  readonly titles: readonly string[];
  readonly status: 'passed' | 'failed' | 'skipped';
}

type TestedRow = FaultRow & { readonly test: string };

/** `F17 counts …`, `F50, F53 are paid …`, `F72 O5 shows …` (an oracle among them). */
const leadingIds = /^(?:[FO]\d+,?\s+)+/;
const worstFirst = ['failed', 'passed', 'skipped'] as const;

/**
 * A row for each fault and each title that names it; the tests under a describe that does are one row, failed if one of
 * them is. Throws for an id that is in no catalogue: such a test would show nowhere.
 */
export function rowsOfTests(outcomes: readonly TestOutcome[]): TestedRow[] {
  const rows = new Map<string, TestedRow>();
  for (const { file, titles, status } of outcomes) {
    for (const [depth, title] of titles.entries()) {
      const test = `${file}: ${titles.slice(0, depth + 1).join(' › ')}`;
      for (const id of faultIdsOf(title)) {
        const other = rows.get(`${id} ${test}`)?.status;
        rows.set(`${id} ${test}`, { id, guarantee: guaranteeOf(id, test), test, status: worseOf(status, other) });
      }
    }
  }
  return [...rows.values()];
}

/** A row for every fault of the catalogue, in its order: those of the tests, and `untested` where there is none. */
export function withUntested(tested: readonly FaultRow[]): FaultRow[] {
  return Object.entries(faultCatalogue).flatMap(([id, guarantee]): FaultRow[] => {
    const own = tested.filter((row) => row.id === id).toSorted((a, b) => ((a.test ?? '') < (b.test ?? '') ? -1 : 1));
    return own.length > 0
      ? own.map((row) => ({ ...row, guarantee }))
      : [{ id, guarantee, test: null, status: 'untested' }];
  });
}

function faultIdsOf(title: string): readonly string[] {
  return leadingIds.exec(title)?.[0].match(/F\d+/g) ?? [];
}

function guaranteeOf(id: string, test: string): string {
  const guarantee = faultCatalogue[id];
  if (guarantee === undefined) throw new Error(`${id} is in no catalogue (faults/fault-catalogue.ts): ${test}`);
  return guarantee;
}

function worseOf(status: TestOutcome['status'], other: FaultRow['status'] = status): FaultRow['status'] {
  return worstFirst.find((each) => each === status || each === other) ?? status;
}
