import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { mailedUnlessRefused, type OptionalMail } from '@tollgate/contracts/webhooks/mail-types';
import { isUuid } from '@tollgate/kernel/uuid';

/** A kind of mail that one account no longer wants. */
export interface Subscription {
  readonly accountId: string;
  readonly type: OptionalMail;
}

export interface UnsubscribeLinks {
  urlOf(subscription: Subscription): string;
  /** Undefined: we have not made the link. */
  read(token: string): Subscription | undefined;
}

/** Links that end one kind of mail, without a sign-in and for ever: mails are read late. Each is signed. */
export function createUnsubscribeLinks({ secret, publicUrl }: { secret: string; publicUrl: string }): UnsubscribeLinks {
  const key = Buffer.from(hkdfSync('sha256', secret, 'tollgate/mail', 'unsubscribe', 32));
  const sign = (text: string) => createHmac('sha256', key).update(text).digest();
  const base = publicUrl.replace(/\/+$/, '');
  return {
    urlOf({ accountId, type }) {
      const text = `${accountId}.${type}`;
      return `${base}/unsubscribe?token=${accountId}.${type}.${sign(text).toString('base64url')}`;
    },
    read(token) {
      const [, accountId = '', typeText = '', signature = ''] =
        /^([\da-f-]{36})\.([\w.]+)\.([\w-]{43})$/.exec(token) ?? [];
      const type = mailedUnlessRefused.find((each) => each === typeText);
      if (type === undefined || !isUuid(accountId)) return undefined;
      const given = Buffer.from(signature, 'base64url');
      const right = sign(`${accountId}.${type}`);
      return given.length === right.length && timingSafeEqual(given, right) ? { accountId, type } : undefined;
    },
  };
}
