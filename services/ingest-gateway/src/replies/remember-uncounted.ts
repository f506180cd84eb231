import { decodeUsageEvent } from '@tollgate/contracts/event-record';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { within } from '@tollgate/runtime/timing/within';
import type { UncountedTail } from '../ports.ts';
import type { ReplyMemory } from './reply-memory.ts';

export interface RememberUncountedDeps {
  readonly tail: UncountedTail;
  readonly memory: ReplyMemory;
  readonly log: Logger;
}

/** A long tail (the aggregator was away for hours) is read on while events are taken. */
const startWaitMs = 2_000;

/**
 * After a restart memory is empty, and the key table lacks what the log holds and nobody has counted yet. Reading that
 * tail first lets a retry of the time before the restart be answered as what it is. Failing to costs only that.
 */
export function createRememberUncounted({ tail, memory, log }: RememberUncountedDeps): Service {
  const stopping = new AbortController();
  let reading: Promise<void> = Promise.resolve();

  function remember({ value }: { readonly value: Uint8Array }): void {
    const decoded = decodeUsageEvent(value);
    if (!decoded.ok || decoded.record.body_hash === undefined) return;
    const { event_id: eventId, body_hash: bodyHash, occurred_at: occurredAt } = decoded.record;
    memory.put(eventId, { bodyHash, occurredAt });
  }

  async function start(): Promise<void> {
    reading = tail.read({ onRecord: remember, enough: stopping.signal }).catch((error: unknown) => {
      log.warn({ err: error }, 'could not read the uncounted tail of the log');
    });
    await within(reading, startWaitMs, () => undefined);
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await reading;
  }

  return { name: 'uncounted-tail', start, stop };
}
