import { decodeUsageEvent, usageEventsTopic } from '@tollgate/contracts/events/event-record';
import type { UncountedReading } from '@tollgate/event-log/event-log';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { within } from '@tollgate/runtime/timing/within';
import type { ReplyMemory } from './reply-memory.ts';

export interface UncountedReader {
  /** Hands out every record of the topic that the aggregator has not counted yet. May reject half-way. */
  readUncounted(topic: string, reading: UncountedReading): Promise<void>;
}

export interface RememberUncountedDeps {
  readonly eventLog: UncountedReader;
  readonly memory: ReplyMemory;
  readonly log: Logger;
}

/** After this time the start goes on. A long tail (the aggregator was away for hours) is read while events are taken. */
const startWaitMs = 2_000;

/**
 * Fills the memory at the start. After a restart it is empty, and the key table lacks the uncounted records of the log.
 * With them in memory, a retry of an event from before the restart is answered as a repeat. A failure costs only that.
 */
export function createRememberUncounted({ eventLog, memory, log }: RememberUncountedDeps): Service {
  const stopping = new AbortController();
  let reading: Promise<void> = Promise.resolve();

  function remember({ value }: { readonly value: Uint8Array }): void {
    const decoded = decodeUsageEvent(value);
    if (!decoded.ok || decoded.record.body_hash === undefined) return;
    const { event_id: eventId, body_hash: bodyHash, occurred_at: occurredAt } = decoded.record;
    memory.put(eventId, { bodyHash, occurredAt });
  }

  async function start(): Promise<void> {
    const reader = { onRecord: remember, enough: stopping.signal };
    reading = eventLog.readUncounted(usageEventsTopic, reader).catch((error: unknown) => {
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
