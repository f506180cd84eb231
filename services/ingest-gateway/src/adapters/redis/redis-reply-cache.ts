import type { Clock } from '@tollgate/kernel/clock';
import type { ChainableCommander } from 'ioredis';
import { createMicroBatcher, type MicroBatcher } from '../../app/micro-batcher.ts';
import type { ReplyCache } from '../../app/ports.ts';
import type { FirstEvent } from '../../domain/judge-repeat.ts';
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
}

/** As long as the interface promises the first answer; after it a repeat is still counted once. */
const keptMs = 24 * 3_600_000;
const batchRepliesMax = 500;

/** The first answers of all gateways, each kept for a day. */
export function createRedisReplyCache({ link, judge, clock }: RedisReplyCacheDeps): ReplyCache {
  const saver = createMicroBatcher<Reply>({
    batchItemsMax: batchRepliesMax,
    batchBytesMax: batchRepliesMax,
    sizeOf: () => 1,
    async run(replies) {
      if (link.isUp()) await link.ask((redis) => save(redis.pipeline(), replies));
    },
  });

  return {
    find: ({ eventId, onAnswer, onAway }) =>
      judge.add({ kind: 'reply', eventId, askedAtMs: clock.monotonicMs(), onAnswer, onAway }),
    save(eventId, first) {
      if (link.isUp()) saver.add({ eventId, first });
    },
    idle: saver.idle,
  };
}

/** The first one stays. A pipeline resolves whatever its commands came to, so their errors are looked for. */
async function save(pipeline: ChainableCommander, replies: readonly Reply[]): Promise<void> {
  for (const { eventId, first } of replies) pipeline.set(replyKeyOf(eventId), formatReply(first), 'PX', keptMs, 'NX');
  const [failed] = ((await pipeline.exec()) ?? []).flatMap(([error]) => error ?? []);
  if (failed) throw failed;
}
