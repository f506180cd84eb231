import { isAppError } from '@tollgate/kernel/app-error';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Clock } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import type { Processor } from './processor.ts';
import { countNoticeFailure, listUnappliedNotices, markNoticeApplied, storeNotice } from './sql-webhook-events.ts';
import type { Notice, NoticedObject, ReadNotice, SignedWebhook } from './webhook-ports.ts';

export interface ApplyWebhooksDeps {
  /** Reads the object with this id again, and applies its state. An object that is not ours is ignored. */
  readonly refresh: Readonly<Record<Exclude<NoticedObject['kind'], 'other'>, (objectId: string) => Promise<void>>>;
  readonly database: Queryable;
  readonly processor: Pick<Processor, 'name'>;
  readonly clock: Clock;
  /** Called after webhooks were applied: they may have made work due. */
  readonly onApplied: () => void;
  readonly log: Logger;
}

const batchMax = 100;

/**
 * Applies the webhooks in the inbox, by reading each object again. So order, repeats and delay make no difference, and
 * two runs at once do no harm (F62, F63). A webhook that fails stays for the next round and does not hold up the
 * others. A webhook of an object that does not exist counts as applied.
 */
export function createApplyWebhooks({ refresh, database, processor, clock, onApplied, log }: ApplyWebhooksDeps) {
  return async function applyWebhooks(): Promise<void> {
    for (;;) {
      const notices = await listUnappliedNotices(database, processor.name, batchMax);
      let applied = 0;
      for (const notice of notices) if (await applyOne(notice)) applied += 1;
      if (applied > 0) onApplied();
      if (notices.length < batchMax || applied === 0) return;
    }
  };

  async function applyOne({ eventId, type, object }: Notice): Promise<boolean> {
    try {
      if (object.kind !== 'other') await refresh[object.kind](object.id);
    } catch (error) {
      const isGone = isAppError(error, 'not_found');
      const consequence = isGone ? 'its object does not exist' : 'the next round tries again';
      log.warn({ event_id: eventId, type, err: error }, `could not apply a webhook; ${consequence}`);
      if (!isGone) {
        await countNoticeFailure(database, { processor: processor.name, eventId });
        return false;
      }
    }
    await markNoticeApplied(database, { processor: processor.name, eventId }, clock.now());
    return true;
  }
}

export interface ReceiveWebhookDeps {
  readonly readNotice: ReadNotice;
  readonly database: Queryable;
  readonly processor: Pick<Processor, 'name'>;
  readonly clock: Clock;
  /** Called when a webhook is in the inbox. */
  readonly onStored: () => void;
}

/**
 * Checks a webhook's signature and stores its notice. When it resolves, the sender need not send it again.
 * `applyWebhooks` applies it later. Throws `invalid_request` for a wrong signature.
 */
export function createReceiveWebhook({ readNotice, database, processor, clock, onStored }: ReceiveWebhookDeps) {
  return async function receiveWebhook(webhook: SignedWebhook): Promise<void> {
    await storeNotice(database, readNotice(webhook), { processor: processor.name, atMs: clock.now() });
    onStored();
  };
}

export type ReceiveWebhook = ReturnType<typeof createReceiveWebhook>;
