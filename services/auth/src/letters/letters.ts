import { createHash, randomBytes } from 'node:crypto';
import type { Transaction } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { dayMs, hourMs } from '@tollgate/kernel/durations';
import { createSealedBox } from '@tollgate/kernel/sealed-box';
import { uuidV7 } from '@tollgate/kernel/uuid';
import { insertLetter, insertLink, type LinkPurpose } from './sql-letter.ts';

export interface LettersDeps {
  /** MAIL_SECRET: the notifier opens by it what is sealed here. */
  readonly secret: string | undefined;
  readonly publicUrl: string | undefined;
  /** Links live by real time, also while the sandbox clock is moved. */
  readonly realTime: Pick<Clock, 'now'>;
}

/** Letters to the owners of accounts. The notifier sends each that is committed. */
export interface Letters {
  /** The page that asks for the address of whoever forgot the password. */
  readonly resetUrl: string;
  /** A letter with a new link, good once. With `accountId` null it goes to nobody, and costs the same. */
  sendLink(tx: Transaction, purpose: LinkPurpose, accountId: string | null): Promise<void>;
  tellOfPassword(tx: Transaction, accountId: string): Promise<void>;
  tellOfClosing(tx: Transaction, accountId: string): Promise<void>;
}

const secretBytes = 32;
const lifeMs: Readonly<Record<LinkPurpose, number>> = { password_reset: hourMs, email_confirmation: 3 * dayMs };
const pathOf: Readonly<Record<LinkPurpose, string>> = {
  password_reset: '/password-reset',
  email_confirmation: '/email-confirmation',
};

/** Undefined where there is no mail: the operator has not set MAIL_SECRET. */
export function createLetters({ secret, publicUrl, realTime }: LettersDeps): Letters | undefined {
  if (secret === undefined || publicUrl === undefined) return undefined;
  const box = createSealedBox({ secret, purpose: 'mail-link' });
  const base = publicUrl.replace(/\/+$/, '');
  return {
    resetUrl: `${base}${pathOf.password_reset}`,
    async sendLink(tx, purpose, accountId) {
      const askedAtMs = realTime.now();
      const expiresAtMs = askedAtMs + lifeMs[purpose];
      const token = randomBytes(secretBytes).toString('base64url');
      const letterId = uuidV7(askedAtMs);
      // No request says where the link leads: a forged Host header would send the secret to whoever forged it.
      const linkSealed = box.seal(`${base}${pathOf[purpose]}?token=${token}`, letterId);
      await insertLink(tx, { linkHash: hashLink(token), purpose, accountId, expiresAtMs });
      await insertLetter(tx, { letterId, type: purpose, accountId, linkSealed, askedAtMs, expiresAtMs });
    },
    tellOfPassword: (tx, accountId) => tell(tx, accountId, 'password.changed'),
    tellOfClosing: (tx, accountId) => tell(tx, accountId, 'account.closed'),
  };

  async function tell(tx: Transaction, accountId: string, type: 'password.changed' | 'account.closed'): Promise<void> {
    const askedAtMs = realTime.now();
    const letter = { letterId: uuidV7(askedAtMs), type, accountId, askedAtMs };
    await insertLetter(tx, { ...letter, linkSealed: null, expiresAtMs: null });
  }
}

/** The secret of a link has 256 random bits, so a fast hash keeps it as well as a slow one does. */
export function hashLink(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
