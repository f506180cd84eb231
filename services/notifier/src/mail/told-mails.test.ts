import { expect, it } from '@jest/globals';
import { mailedAlways, mailedUnlessRefused } from '@tollgate/contracts/webhooks/mail-types';
import { webhookTypes } from '@tollgate/contracts/webhooks/webhook-types';
import { renderMail } from './render-mail.ts';
import { toldMails } from './told-mails.ts';

it('each type that is mailed has its mail, and no other has one', () => {
  expect(Object.keys(toldMails).toSorted()).toEqual([...mailedAlways, ...mailedUnlessRefused].toSorted());
});

it.each([...mailedAlways, ...mailedUnlessRefused])('the mail of %s says what its event says', (type) => {
  const body = toldMails[type]?.({ data: webhookTypes[type].example, happenedAtMs: 0, hasPrint: true });
  if (body === undefined) throw new Error('there is none');
  const { subject, text } = renderMail({ ...body, note: '' });
  expect(subject.length).toBeGreaterThan(10);
  for (const [, value] of body.facts ?? []) expect(text).toContain(value);
  expect(text).not.toMatch(/undefined|null|NaN|\[object/);
});

it('the mail of an alert tells a part of a cap from all of it', () => {
  const titleOf = (type: 'spending.threshold_reached' | 'spending.limit_reached') =>
    toldMails[type]?.({ data: webhookTypes[type].example, happenedAtMs: 0, hasPrint: false }).title;
  expect(titleOf('spending.threshold_reached')).toBe('80 % of your budget is spent');
  expect(titleOf('spending.limit_reached')).toBe('All of your budget is spent');
});
