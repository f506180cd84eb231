import type { Queryable } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import { createKeyArchives } from '@tollgate/key-archive/key-archives';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every } from '@tollgate/runtime/timing/every';
import type { Config } from '../config.ts';
import type { Attempt } from '../submissions/attempt.ts';
import { createAskCacheFirst } from './ask-cache-first.ts';
import { createFindFirstEvents } from './find-first-events.ts';
import { createLookUps, type KeyChecks, type LookUps, type ReplyQuestion } from './look-ups.ts';
import { createRememberUncounted, type UncountedReader } from './remember-uncounted.ts';
import type { ReplyCache } from './reply-cache.ts';
import { createReplyMemory, type ReplyMemory } from './reply-memory.ts';
import { createSaveReplies } from './save-replies.ts';

export interface RepliesDeps {
  readonly worker: Queryable;
  readonly eventLog: UncountedReader;
  /** Undefined: this gateway shares no replies with others. */
  readonly cache: ReplyCache | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The places in which a repeat is recognised. */
export interface Replies {
  readonly memory: ReplyMemory;
  readonly lookUpReply: (question: ReplyQuestion) => void;
  readonly keys: KeyChecks & Pick<LookUps, 'idle'>;
  /** An append whose answer is shared with the other gateways. */
  readonly withSaving: (appendEvent: (attempt: Attempt) => void) => (attempt: Attempt) => void;
  readonly services: readonly Service[];
  /** The services that must have read their facts before the first event is taken. */
  readonly knowledge: readonly Service[];
}

const archivesPollMs = 5_000;

/** A repeat is looked for in this gateway's memory, in the gateways' cache, in the key table, then in the archives of keys. */
export function wireReplies(config: Config, { worker, eventLog, cache, clock, log }: RepliesDeps): Replies {
  const memory = createReplyMemory(config.REPLIES_REMEMBERED_MAX);
  const archives = createKeyArchives({ database: worker, folder: config.KEY_ARCHIVE_DIR, log });
  const polling = every({ name: 'new-key-archives', everyMs: archivesPollMs, log, run: archives.refresh });
  const lookUps = createLookUps({
    findFirstEvents: createFindFirstEvents(worker, archives),
    clock,
    log,
    timeoutMs: config.REPLY_LOOKUP_TIMEOUT_MS,
  });
  return {
    memory,
    keys: {
      ...lookUps,
      mustLookUpFirst: () => cache !== undefined || archives.known() > 0 || lookUps.mustLookUpFirst(),
    },
    lookUpReply: cache ? createAskCacheFirst(cache, lookUps.add) : lookUps.add,
    withSaving: (appendEvent) => (cache ? createSaveReplies(cache, appendEvent) : appendEvent),
    services: [createRememberUncounted({ eventLog, memory, log })],
    knowledge: [archives, polling],
  };
}
