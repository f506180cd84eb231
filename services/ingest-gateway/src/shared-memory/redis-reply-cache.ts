import type { Clock } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import type { Service } from '@tollgate/kernel/service';
import { createMicroBatcher, type MicroBatcher } from '@tollgate/runtime/timing/micro-batcher';
import type { FirstEvent } from '../keys/judge-repeat.ts';
import type { ReplyCache } from '../keys/reply-cache.ts';
import type { Question } from './judge.ts';
import type { RedisLink } from './redis-link.ts';
import { formatReply, replyKeyOf } from './reply-entry.ts';

export interface RedisReplyCacheDeps {
  readonly link: RedisLink;
  readonly judge: Pick<MicroBatcher<Question>, 'add'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

interface Reply {
  readonly eventId: string;
  readonly first: FirstEvent;
  onDone(): void;
}

/** The interface promises the first answer for a day, however far behind counting is. */
const keptMs = dayMs;
/** A save of this size takes some 4 ms of Redis's one thread. */
const batchRepliesMax = 1_000;
/** The bound of the replies that wait for Redis. The key table has older ones, unless counting lags as well. */
const missedRepliesMax = 10_000;

/** Keeps the first answers of all gateways for a day. Replies that Redis missed while it was away are saved afterwards. */
export function createRedisReplyCache({ link, judge, clock }: RedisReplyCacheDeps): ReplyCache & Service {
  let missed: Reply[] = [];
  const saver = createMicroBatcher<Reply>({
    batchItemsMax: batchRepliesMax,
    batchBytesMax: batchRepliesMax,
    sizeOf: () => 1,
    async run(replies) {
      if (!(await save(replies))) keepForLater(replies);
      for (const { onDone } of replies) onDone();
    },
  });
  link.onBack(() => {
    const waiting = missed;
    missed = [];
    waiting.forEach(saver.add);
  });

  async function save(replies: readonly Reply[]): Promise<boolean> {
    if (!link.isUp()) return false;
    const keys = replies.map(({ eventId }) => replyKeyOf(eventId));
    const values = replies.map(({ first }) => formatReply(first));
    return (await link.ask((redis) => redis.saveReplies(keys.length, ...keys, keptMs, ...values))) !== undefined;
  }

  /** Beyond the bound, the newest half stays. */
  function keepForLater(replies: readonly Reply[]): void {
    missed.push(...replies.map(({ eventId, first }) => ({ eventId, first, onDone: () => undefined })));
    if (missed.length > missedRepliesMax) missed = missed.slice(-missedRepliesMax / 2);
  }

  return {
    name: 'reply-cache',
    start: async () => undefined,
    stop: saver.idle,
    find: ({ eventId, onAnswer, onAway }) =>
      judge.add({ kind: 'reply', eventId, askedAtMs: clock.monotonicMs(), onAnswer, onAway }),
    save: (eventId, first, onDone) => saver.add({ eventId, first, onDone }),
  };
}
