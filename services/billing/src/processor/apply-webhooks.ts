import { isAppError } from '@tollgate/kernel/app-error';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Clock } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import type { Processor } from './processor.ts';
import { countNoticeFailure, listUnappliedNotices, markNoticeApplied } from './sql-webhook-events.ts';
import type { Notice, NoticedObject } from './webhook-ports.ts';

export interface ApplyWebhooksDeps {
  /** Reads the object of this id again, and does what follows. What is not ours is no failure. */
  readonly refresh: Readonly<Record<Exclude<NoticedObject['kind'], 'other'>, (objectId: string) => Promise<void>>>;
  readonly database: Queryable;
  readonly processor: Pick<Processor, 'name'>;
  readonly clock: Clock;
  /** Something was applied: it may have made something due. */
  readonly onApplied: () => void;
  readonly log: Logger;
}

const batchMax = 100;

/**
 * Applies what is in the inbox, by reading the object again: so order, repeats and delay make no difference, and two that
 * apply the same at once do no harm (F62, F63). One that fails stays for the next round and holds up no other; one of what
 * the processor does not have is done, for good.
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
      const whatNow = isGone ? 'it is of something that is not there' : 'will try again';
      log.warn({ event_id: eventId, type, err: error }, `could not apply a webhook; ${whatNow}`);
      if (!isGone) {
        await countNoticeFailure(database, { processor: processor.name, eventId });
        return false;
      }
    }
    await markNoticeApplied(database, { processor: processor.name, eventId }, clock.now());
    return true;
  }
}
