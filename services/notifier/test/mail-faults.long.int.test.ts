import { describe, expect, it } from '@jest/globals';
import { payout } from '@tollgate/contracts/webhooks/webhook-examples';
import { createDatabase } from '@tollgate/database/database';
import { minuteMs } from '@tollgate/kernel/durations';
import { createSealedBox } from '@tollgate/kernel/sealed-box';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from '@tollgate/testkit/eventually';
import { useEach } from '@tollgate/testkit/use-world';
import { createComposeMail } from '../src/mail/compose-mail.ts';
import { createSendMail } from '../src/mail/smtp.ts';
import { claimMails } from '../src/mail/sql-mail.ts';
import { createUnsubscribeLinks } from '../src/mail/unsubscribe-links.ts';
import { takeOutbox } from '../src/events/sql-take-outbox.ts';
import type { Behave } from './support/mail-server.ts';
import { mailSecret, publicUrl, startNotifier, type TestAccount } from './support/use-notifier.ts';

const addressOf = ({ accountId }: TestAccount) => `${accountId}@example.com`;

describe('F332 a notifier that dies between the 250 of the mail server and its own commit', () => {
  const world = useEach(() => startNotifier({ isIdle: true, mails: true }));

  it('loses no mail, and the second one has the Message-ID of the first', async () => {
    const ada = await world.newAccount();
    await world.tell(ada.accountId, { type: 'payout.paid', data: payout('paid') });
    const log = createLogger({ name: 'test', level: 'silent' });
    const worker = createDatabase({ url: world.database.urlFor('notifier_worker'), name: 'dying', log });
    const nowMs = world.realTime.now();
    await takeOutbox(worker, { rowsMax: 10, nowMs, mailTypes: ['payout.paid'], isRelayed: false });
    const bounds = { untilMs: nowMs + minuteMs, printsWaitedSinceMs: nowMs, free: 1, freeRepeated: 1 };
    const [claimed] = await claimMails(worker, { nowMs, ...bounds });
    if (claimed === undefined) throw new Error('nothing was claimed');
    expect(await claimMails(worker, { nowMs, ...bounds })).toEqual([]); // nobody else sends it meanwhile
    const sender = { name: 'Tollgate', address: 'billing@tollgate.example' };
    const box = createSealedBox({ secret: mailSecret, purpose: 'mail-link' });
    const unsubscribeLinks = createUnsubscribeLinks({ secret: mailSecret, publicUrl });
    const compose = createComposeMail({ sender, box, unsubscribeLinks, realTime: world.realTime });
    const send = createSendMail({ url: world.mail.url, tls: 'required', sender, ca: world.mail.ca });
    const message = compose(claimed, addressOf(ada));
    expect(await send(message, new AbortController().signal)).toEqual({ kind: 'accepted' });
    await worker.stop(); // it is never heard of again

    await world.startBeside();
    world.realTime.advance(minuteMs + 1_000);
    await eventually(() => world.mail.received.length === 2, { withinMs: 5_000 });
    const ids = world.mail.received.map(({ headers }) => headers.get('message-id'));
    expect(ids).toEqual([message.messageId, message.messageId]);
    await eventually(async () => (await world.owner.query('select from notify.mail')).length === 0, {
      withinMs: 5_000,
    });
  });
});

describe('F333 a mail server that does not take the mails of one account', () => {
  const world = useEach(() => startNotifier({ mails: true }));
  const waitingOf = async ({ accountId }: TestAccount) =>
    (await world.owner.query('select from notify.mail where account_id = $1', [accountId])).length;
  const deferredText = 'select from notify.mail where account_id = $1 and attempts = 1 and claimed_until is null';
  const deferredOf = async ({ accountId }: TestAccount) => (await world.owner.query(deferredText, [accountId])).length;

  it.each<Behave>(['hang', 'close', 'defer', 'refuse', 'refuse-mail'])(
    'holds up no other account when it answers: %s',
    async (behave) => {
      const [ada, bob] = [await world.newAccount(), await world.newAccount()];
      world.mail.behave(addressOf(ada), behave);
      for (let mail = 0; mail < 20; mail += 1)
        await world.tell(ada.accountId, { type: 'payout.paid', data: payout('paid') });
      await eventually(() => world.mail.triesOf(addressOf(ada)) > 0, { withinMs: 5_000 });
      await world.tell(bob.accountId, { type: 'payout.paid', data: payout('paid') });
      await eventually(() => world.mail.received.some(({ to }) => to === addressOf(bob)), { withinMs: 5_000 });
    },
    60_000,
  );

  it('is asked again for what it deferred, and loses nothing', async () => {
    const ada = await world.newAccount();
    world.mail.behave(addressOf(ada), 'defer');
    for (let mail = 0; mail < 3; mail += 1)
      await world.tell(ada.accountId, { type: 'payout.paid', data: payout('paid') });
    await eventually(async () => (await deferredOf(ada)) === 3, { withinMs: 5_000 });
    world.mail.behave(addressOf(ada), 'take');
    world.realTime.advance(2 * minuteMs);
    await eventually(async () => (await waitingOf(ada)) === 0, { withinMs: 10_000 });
    expect(new Set(world.mail.received.map(({ headers }) => headers.get('message-id'))).size).toBe(3);
  });
});

describe('F336 a bounce', () => {
  const world = useEach(() => startNotifier({ mails: true }));
  const bouncedAt = async ({ accountId }: TestAccount) => {
    const [row] = await world.owner.query<{ email_bounced_at: Date | null }>(
      'select email_bounced_at from auth.account where account_id = $1',
      [accountId],
    );
    return row?.email_bounced_at;
  };
  const tell = ({ accountId }: TestAccount) => world.tell(accountId, { type: 'payout.paid', data: payout('paid') });
  const idle = async () => (await world.owner.query('select from notify.mail')).length === 0;

  it('is noted on the account, and no more mails go to the address', async () => {
    const ada = await world.newAccount();
    world.mail.behave(addressOf(ada), 'refuse');
    await tell(ada);
    await eventually(async () => (await bouncedAt(ada)) instanceof Date, { withinMs: 5_000 });
    await tell(ada);
    await eventually(idle, { withinMs: 5_000 });
    expect(world.mail.triesOf(addressOf(ada))).toBe(1);
    expect(world.logged()).toContain('550 5.1.1 RCPT TO');
    expect(world.logged()).not.toContain(addressOf(ada));
  });

  it('is noted for no account where the server refuses us, a mail, or a full mailbox', async () => {
    const [ada, bob] = [await world.newAccount(), await world.newAccount()];
    world.mail.behave(addressOf(ada), 'refuse-us');
    world.mail.behave(addressOf(bob), 'refuse-mail');
    await tell(ada);
    await tell(bob);
    await eventually(() => world.logged().includes('550 5.7.1 RCPT TO') && world.logged().includes('554 5.7.1 DATA'), {
      withinMs: 5_000,
    });
    expect([await bouncedAt(ada), await bouncedAt(bob)]).toEqual([null, null]);
    world.mail.behave(addressOf(ada), 'take');
    world.realTime.advance(2 * minuteMs);
    await eventually(() => world.mail.received.some(({ to }) => to === addressOf(ada)), { withinMs: 5_000 });
  });
});
