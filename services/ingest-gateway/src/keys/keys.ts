/**
 * "Is this key known?" `claim` has the answer, and this folder has all of it. The places are asked in this order, until one
 * knows the key:
 *
 *   1. the memory of this gateway: its latest events      reply-memory.ts, filled at the start by remember-uncounted.ts
 *   2. the attempts that are under way in it              claim.ts
 *   3. Redis, where there is one: the gateways' events    reply-cache.ts
 *   4. the key table: all counted events                  look-ups.ts, sql-event-key.ts
 *   5. the archives: counted events of years ago          findFirstEvents below
 *
 * A log that lies beside the key table asks place 4 itself, as a condition of the append, while nothing but the table can
 * know the key. If nobody can say in time, the event is appended all the same: counting recognises its key.
 */
import type { Queryable } from '@tollgate/database/database';
import type { EventAppender } from '@tollgate/event-log/event-log';
import { toIso, type Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import { createKeyArchives, type KeyArchives } from '@tollgate/key-archive/key-archives';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every } from '@tollgate/runtime/timing/every';
import type { Config } from '../config.ts';
import { createClaim, type Appends, type Claim } from './claim.ts';
import type { FirstEvent } from './judge-repeat.ts';
import { createLookUps, type KeyChecks } from './look-ups.ts';
import { createRememberUncounted, type UncountedReader } from './remember-uncounted.ts';
import { createAskCacheFirst, createSaveReplies, type ReplyCache } from './reply-cache.ts';
import { createReplyMemory } from './reply-memory.ts';
import { findFirstEvents as findInTable } from './sql-event-key.ts';

export interface KeysDeps {
  readonly worker: Queryable;
  readonly eventLog: EventAppender & UncountedReader;
  /** Undefined: this gateway shares no replies with others. */
  readonly cache: ReplyCache | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Keys {
  /** Called once, with the ways into the log. They need `checks`. */
  claimFor(appends: Appends): Claim;
  /** Whether an append may have the condition that its event is not counted. */
  readonly checks: KeyChecks;
  /** Resolves once every look-up has its answer. */
  idle(): Promise<void>;
  readonly services: readonly Service[];
  /** The services that must have read their facts before the first event is taken. */
  readonly knowledge: readonly Service[];
}

const archivesPollMs = 5_000;

export function createKeys(config: Config, { worker, eventLog, cache, clock, log }: KeysDeps): Keys {
  const memory = createReplyMemory(config.REPLIES_REMEMBERED_MAX);
  const archives = createKeyArchives({ database: worker, folder: config.KEY_ARCHIVE_DIR, log });
  const lookUps = createLookUps({
    findFirstEvents: (eventIds) => findFirstEvents(worker, archives, eventIds),
    clock,
    log,
    timeoutMs: config.REPLY_LOOKUP_TIMEOUT_MS,
  });
  const isTableEnough = (): boolean => cache === undefined && archives.known() === 0;
  const canLogLookUp = eventLog.appendUnlessCounted !== undefined;
  const mustLookUpFirst = (): boolean => !canLogLookUp || !isTableEnough() || lookUps.mustLookUpFirst();

  return {
    claimFor({ appendEvent, appendUnlessCounted }) {
      return createClaim({
        memory,
        lookUpReply: cache ? createAskCacheFirst(cache, lookUps.add) : lookUps.add,
        appendEvent: cache ? createSaveReplies(cache, appendEvent) : appendEvent,
        appendUnlessCounted: (...attempt) => !mustLookUpFirst() && appendUnlessCounted(...attempt),
      });
    },
    checks: { mustLookUpFirst, lookUpFirst: lookUps.lookUpFirst },
    idle: lookUps.idle,
    services: [createRememberUncounted({ eventLog, memory, log })],
    knowledge: [archives, every({ name: 'new-key-archives', everyMs: archivesPollMs, log, run: archives.refresh })],
  };
}

/** Finds counted events by their ids: in the key table, and what is not there in the archives of old keys. */
async function findFirstEvents(
  db: Queryable,
  archives: Pick<KeyArchives, 'known' | 'find'>,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, FirstEvent>> {
  const found = await findInTable(db, eventIds);
  if (archives.known() === 0) return found;
  const archived = await archives.find(eventIds.filter((eventId) => !found.has(eventId)));
  const old = [...archived].map(([eventId, { bodyHash, occurredAtMs }]) => {
    return [eventId, { bodyHash, occurredAt: toIso(occurredAtMs) }] as const;
  });
  return new Map([...found, ...old]);
}
