import type { Transaction } from '@tollgate/database/database';
import type { CountableEvent } from './plan-flush.ts';
import { noteCalledTools } from './sql-note-called-tools.ts';

/** Notes the calls of one flush. Only `keep`, after its commit, lets later flushes pass over these tools. */
interface Noting {
  readonly note: (tx: Transaction, events: readonly CountableEvent[]) => Promise<void>;
  keep(): void;
}

export interface CalledTools {
  begin(): Noting;
}

/** More are forgotten and asked for again. */
const knownMax = 100_000;

/**
 * The tools of which a call is counted. The first call of each is noted in the transaction that counts it, and is told from
 * there. Later flushes pass over tools that this process knows, so they have no statement more.
 */
export function createCalledTools(): CalledTools {
  const known = new Set<string>();

  return {
    begin() {
      let noted: readonly string[] = [];
      return {
        async note(tx, events) {
          const first = firstCalls(events.filter(({ event }) => !known.has(event.tool_id)));
          noted = first.size === 0 ? [] : await noteCalledTools(tx, first);
        },
        keep() {
          if (known.size + noted.length > knownMax) known.clear();
          for (const tool of noted) known.add(tool);
        },
      };
    },
  };
}

function firstCalls(events: readonly CountableEvent[]): Map<string, string> {
  const first = new Map<string, string>();
  for (const { event } of events) {
    const { tool_id: tool, occurred_at: calledAt } = event;
    if (calledAt < (first.get(tool) ?? '~')) first.set(tool, calledAt);
  }
  return first;
}
