import { faultCatalogue } from './fault-catalogue.ts';

/** One test that ran, or was skipped. */
export interface TestOutcome {
  /** From the root of the repository. */
  readonly file: string;
  /** The titles of its describes, from the outermost inwards, and its own. */
  readonly titles: readonly string[];
  readonly status: TestStatus;
}

/** The tests of one file that name one fault. */
export interface FaultResult {
  readonly id: string;
  readonly file: string;
  /** Titles that name the fault. A describe counts as one, however many tests it has. */
  readonly tests: number;
  /** `failed` if a test failed, else `skipped` if no test ran under one of the titles. */
  readonly status: TestStatus;
}

export type TestStatus = 'passed' | 'failed' | 'skipped';

/** `F17 counts …`, `F50, F53 are paid …`, `F72 O5 shows …` (an oracle among them). */
const leadingIds = /^(?:[FO]\d+,?\s+)+/;

/** One result per fault and file. Throws for an id that is not in the catalogue: such a test would show nowhere. */
export function resultsOfTests(outcomes: readonly TestOutcome[]): FaultResult[] {
  const perFile = Map.groupBy([...statusesOfTitles(outcomes).values()], ({ id, file }) => `${id} ${file}`);
  return [...perFile.values()].flatMap((titles) => {
    const [first] = titles;
    if (!first) return [];
    const statuses = titles.map(({ status }) => status);
    return [{ id: first.id, file: first.file, tests: titles.length, status: worstOf(statuses) }];
  });
}

export function worstOf(statuses: readonly TestStatus[]): TestStatus {
  if (statuses.includes('failed')) return 'failed';
  return statuses.includes('skipped') ? 'skipped' : 'passed';
}

interface NamingTitle {
  readonly id: string;
  readonly file: string;
  readonly status: TestStatus;
}

/** Several tests under one describe that names the fault are one title. */
function statusesOfTitles(outcomes: readonly TestOutcome[]): Map<string, NamingTitle> {
  const naming = new Map<string, NamingTitle>();
  for (const { file, titles, status } of outcomes) {
    for (const [depth, title] of titles.entries()) {
      const path = titles.slice(0, depth + 1).join(' › ');
      for (const id of faultIdsOf(title, file)) {
        const key = `${id} ${file}: ${path}`;
        naming.set(key, { id, file, status: ofBoth(status, naming.get(key)?.status) });
      }
    }
  }
  return naming;
}

/** Under one describe, a test that was skipped does not hide those that ran. */
function ofBoth(status: TestStatus, other: TestStatus = status): TestStatus {
  if (status === 'failed' || other === 'failed') return 'failed';
  return status === 'passed' || other === 'passed' ? 'passed' : 'skipped';
}

function faultIdsOf(title: string, file: string): readonly string[] {
  const ids = leadingIds.exec(title)?.[0].match(/F\d+/g) ?? [];
  const unknown = ids.find((id) => faultCatalogue[id] === undefined);
  if (unknown) throw new Error(`${unknown} is not in the catalogue (faults/fault-catalogue.ts): ${file}: ${title}`);
  return ids;
}
