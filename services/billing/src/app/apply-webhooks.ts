import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { unreachable } from '@tollgate/kernel/unreachable';
import type { ProcessorAccounts } from './processor.ts';
import type { ConnectedAccountStore, CustomerStore } from './processor-stores.ts';
import type { Notice, NoticedObject, WebhookInbox } from './webhook-ports.ts';

export interface ApplyWebhooksDeps {
  readonly processor: ProcessorAccounts;
  readonly accounts: ConnectedAccountStore;
  readonly customers: CustomerStore;
  readonly inbox: WebhookInbox;
  readonly log: Logger;
}

const batchMax = 100;

/**
 * Applies what is in the inbox, by reading the object again: so order, repeats and delay make no difference, and two that
 * apply the same at once do no harm (F62, F63). One that fails stays for the next round and holds up no other.
 */
export function createApplyWebhooks({ processor, accounts, customers, inbox, log }: ApplyWebhooksDeps) {
  return async function applyWebhooks(): Promise<void> {
    for (;;) {
      const notices = await inbox.listUnapplied(batchMax);
      let applied = 0;
      for (const notice of notices) if (await applyOne(notice)) applied += 1;
      if (notices.length < batchMax || applied === 0) return;
    }
  };

  async function applyOne(notice: Notice): Promise<boolean> {
    try {
      await refresh(notice.object);
    } catch (error) {
      log.warn(
        { event_id: notice.eventId, type: notice.type, err: error },
        'could not apply a webhook; will try again',
      );
      await inbox.countFailure(notice.eventId);
      return false;
    }
    await inbox.markApplied(notice.eventId);
    return true;
  }

  async function refresh({ kind, id }: NoticedObject): Promise<void> {
    switch (kind) {
      case 'account':
        return accounts.refresh(id, () => processor.payoutAccounts.read(id));
      case 'customer':
        return customers.refresh(id, () => processor.customers.readPaymentMethod(id));
      case 'charge':
      case 'refund':
      case 'transfer':
      case 'dispute':
      case 'other':
        return;
      default:
        unreachable(kind);
    }
  }
}
