import { formatMoment } from './mail-formats.ts';
import type { Fact } from './render-mail.ts';
import type { MailBody } from './told-mails.ts';

export interface Letter {
  /** Null: it has none. */
  readonly link: string | null;
  readonly happenedAtMs: number;
  readonly expiresAtMs: number | null;
}

/** Writes the letters of auth, by their type. */
export const letterMails: Readonly<Record<string, (letter: Letter) => MailBody>> = {
  password_reset: ({ link, expiresAtMs }) => ({
    title: 'Set a new password',
    sentences: [
      'Somebody asked for a new password for your account. If it was you, set it on this page.',
      'If it was not you, leave this mail alone: nothing changes, and nobody else has the link.',
    ],
    facts: validUntil(expiresAtMs),
    button: buttonTo(link, 'Set a new password'),
  }),
  email_confirmation: ({ link, expiresAtMs }) => ({
    title: 'Confirm your e-mail address',
    sentences: ['An account was created with this address. If you did that, confirm that the address is yours.'],
    facts: validUntil(expiresAtMs),
    button: buttonTo(link, 'Confirm the address'),
  }),
  'password.changed': ({ happenedAtMs }) => ({
    title: 'Your password was changed',
    sentences: [
      'The password of your account was changed, and its other sessions have ended.',
      'If that was not you, set a new password now, and look through your API keys.',
    ],
    facts: [['Changed', formatMoment(happenedAtMs)]],
  }),
  'account.closed': ({ happenedAtMs }) => ({
    title: 'Your account was closed',
    sentences: [
      'Its sessions, API keys, passes and webhook endpoints have ended. Nobody can sign in any more.',
      'The calls of this month are invoiced at its end, and earnings are paid out as ever.',
      'When nothing is open, your personal data is erased. Invoices and the books stay for as long as the law asks.',
    ],
    facts: [['Closed', formatMoment(happenedAtMs)]],
  }),
};

function validUntil(expiresAtMs: number | null): readonly Fact[] {
  return expiresAtMs === null ? [] : [['The link works once, until', formatMoment(expiresAtMs)]];
}

function buttonTo(url: string | null, text: string): { readonly text: string; readonly url: string } {
  if (url === null) throw new Error(`a letter has no link for "${text}"`);
  return { text, url };
}
