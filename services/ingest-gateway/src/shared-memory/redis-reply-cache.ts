import { createMicroBatcher, type MicroBatcher } from '@tollgate/runtime/timing/micro-batcher';
import type { ReplyCache } from '../ports.ts';
import type { FirstEvent } from '../replies/judge-repeat.ts';
import type { Clock } from '@tollgate/kernel/clock';
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

/** As long as the interface promises the first answer, however far behind counting is. */
const keptMs = 24 * 3_600_000;
/** Some 4 ms of Redis's one thread. */
const batchRepliesMax = 1_000;
/** Of the time in which Redis is away. Older ones are in the key table, unless counting is behind as well. */
const missedRepliesMax = 10_000;

/** The first answers of all gateways, each kept for a day. Those that Redis was away for are saved when it is back. */
export function createRedisReplyCache({ link, judge, clock }: RedisReplyCacheDeps): ReplyCache {
  let missed: Reply[] = [];
  const saver = createMicroBatcher<Reply>({
    batchItemsMax: batchRepliesMax,
    batchBytesMax: batchRepliesMax,
    sizeOf: () => 1,
    async run(replies) {
      if (!(await save(replies))) remember(replies);
      for (const { onDone } of replies) onDone();
    },
  });
  link.onBack(() => {
    const due = missed;
    missed = [];
    due.forEach(saver.add);
  });

  async function save(replies: readonly Reply[]): Promise<boolean> {
    if (!link.isUp()) return false;
    const keys = replies.map(({ eventId }) => replyKeyOf(eventId));
    const values = replies.map(({ first }) => formatReply(first));
    return (await link.ask((redis) => redis.saveReplies(keys.length, ...keys, keptMs, ...values))) !== undefined;
  }

  /** The newest. */
  function remember(replies: readonly Reply[]): void {
    missed.push(...replies.map(({ eventId, first }) => ({ eventId, first, onDone: () => undefined })));
    if (missed.length > missedRepliesMax) missed = missed.slice(-missedRepliesMax / 2);
  }

  return {
    find: ({ eventId, onAnswer, onAway }) =>
      judge.add({ kind: 'reply', eventId, askedAtMs: clock.monotonicMs(), onAnswer, onAway }),
    save: (eventId, first, onDone) => saver.add({ eventId, first, onDone }),
    idle: saver.idle,
  };
}
