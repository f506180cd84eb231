import { describe, expect, it } from '@jest/globals';
import { invoice, payout, disabledEndpoint } from '@tollgate/contracts/webhooks/webhook-examples';
import { createSealedBox } from '@tollgate/kernel/sealed-box';
import { eventually } from '@tollgate/testkit/eventually';
import { useOnce } from '@tollgate/testkit/use-world';
import { createSendMail } from '../src/mail/smtp.ts';
import { arrived } from './support/arrived.ts';
import { mailPassword, type ReceivedMail } from './support/mail-server.ts';
import { answer } from './support/receiver.ts';
import { mailSecret, startNotifier, type TestAccount } from './support/use-notifier.ts';

const world = useOnce(() => startNotifier({ mails: true }));

const addressOf = ({ accountId }: TestAccount) => `${accountId}@example.com`;
const mailsTo = (account: TestAccount) => world.mail.received.filter(({ to }) => to === addressOf(account));
const mailTo = (account: TestAccount) => arrived(() => mailsTo(account)[0]);
const waitingOf = async ({ accountId }: TestAccount) =>
  (await world.owner.query('select from notify.mail where account_id = $1', [accountId])).length;
const print = (id: string, pdf: Buffer | null) =>
  world.owner.query('insert into billing.mailed_print (invoice_id, pdf) values ($1, $2) on conflict do nothing', [
    id,
    pdf,
  ]);
/** The parts of a mail in their transfer encoding, joined without the line breaks of it. */
const textOf = ({ source }: ReceivedMail) =>
  source
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
const preferencesOf = async ({ token }: TestAccount) =>
  (await world.send<{ email: Record<string, boolean> }>('GET', '/v1/notification-preferences', { token })).body.email;

describe('an issued invoice', () => {
  it('is mailed with its PDF, over TLS, from the address of the header, and once', async () => {
    const ada = await world.newAccount();
    const data = { ...invoice('open'), id: '0199a3b2-7c1d-7e4f-8a5b-000000000001' };
    await world.tell(ada.accountId, { type: 'invoice.issued', data });
    await eventually(async () => (await waitingOf(ada)) === 1, { withinMs: 5_000 });
    expect(mailsTo(ada)).toEqual([]); // it waits for its print
    await print(data.id, Buffer.from('%PDF-1.7 a print'));
    const mail = await mailTo(ada);
    expect(mail).toMatchObject({ from: 'billing@tollgate.example', isTls: true, user: 'tollgate' });
    expect(Object.fromEntries(mail.headers)).toMatchObject({
      from: 'Tollgate Tests <billing@tollgate.example>',
      to: addressOf(ada),
      subject: 'Invoice 17 for 2026-11',
      'auto-submitted': 'auto-generated',
      'message-id': expect.stringMatching(/^<[\da-f-]{36}@tollgate\.example>$/),
    });
    expect(mail.headers.has('list-unsubscribe')).toBe(false); // the law wants it
    expect(mail.source).toContain(Buffer.from('%PDF-1.7 a print').toString('base64'));
    expect(mail.source).toContain('filename=tollgate-invoice-17.pdf');
    expect(textOf(mail)).toContain('Total:   12.34 USD');
    expect(textOf(mail)).toContain('<h1 class="ink"');
    await eventually(async () => (await waitingOf(ada)) === 0, { withinMs: 5_000 });
    expect(mailsTo(ada)).toHaveLength(1);
  });

  it('without a print is mailed all the same, and says where it is', async () => {
    const ada = await world.newAccount();
    const data = { ...invoice('open'), id: '0199a3b2-7c1d-7e4f-8a5b-000000000002' };
    await world.tell(ada.accountId, { type: 'invoice.issued', data });
    await print(data.id, null);
    expect(textOf(await mailTo(ada))).toContain(`GET /v1/billing/invoices/${data.id}.pdf`);
  });
});

describe('what an account may switch off', () => {
  it('is mailed with a link that ends it by one click, without a sign-in', async () => {
    const ada = await world.newAccount();
    await world.tell(ada.accountId, { type: 'payout.paid', data: payout('paid') });
    const { headers } = await mailTo(ada);
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    const url = /^<(https:\/\/tollgate\.example\/unsubscribe\?token=[\w.-]+)>$/.exec(
      headers.get('list-unsubscribe') ?? '',
    )?.[1];
    const { pathname, search } = new URL(url ?? '');
    const path = pathname + search;
    const shown = await world.send('GET', path, {});
    expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('payouts that are paid')]);
    expect(await preferencesOf(ada)).toMatchObject({ 'payout.paid': true }); // to look changes nothing
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const ended = await world.send('POST', path, { headers: form, rawBody: 'List-Unsubscribe=One-Click' });
    expect(ended.status).toBe(200);
    expect(await preferencesOf(ada)).toEqual({
      'payout.paid': false,
      'payout.failed': true,
      'spending.threshold_reached': true,
      'spending.limit_reached': true,
      'webhook_endpoint.disabled': true,
    });
    const forged = await world.send('POST', `${path}x`, { headers: form, rawBody: 'List-Unsubscribe=One-Click' });
    expect(forged.status).toBe(404);
    const acts = await world.owner.query('select action, actor from audit.act where account_id = $1', [ada.accountId]);
    expect(acts).toEqual([{ action: 'notification_preferences.changed', actor: 'nobody' }]);

    await world.tell(ada.accountId, { type: 'payout.paid', data: payout('paid') });
    await world.tell(ada.accountId, { type: 'payout.failed', data: payout('failed') });
    await eventually(() => mailsTo(ada).length === 2, { withinMs: 5_000 });
    expect(mailsTo(ada)[1]?.headers.get('subject')).toBe('Your payout for 2026-11 failed');
  });

  it('is not sent any more when it is switched off while it waits, and comes again when it is switched on', async () => {
    const ada = await world.newAccount();
    world.mail.behave(addressOf(ada), 'defer');
    await world.tell(ada.accountId, { type: 'payout.paid', data: payout('paid') });
    await eventually(async () => world.mail.triesOf(addressOf(ada)) === 1 && (await waitingOf(ada)) === 1, {
      withinMs: 5_000,
    });
    const put = (email: object) =>
      world.send('PUT', '/v1/notification-preferences', { token: ada.token, body: { email } });
    expect((await put({ 'payout.paid': false })).body).toMatchObject({
      email: { 'payout.paid': false, 'payout.failed': true },
    });
    expect(await waitingOf(ada)).toBe(0);
    expect((await put({ 'invoice.issued': false })).status).toBe(400);
    expect((await put({})).body).toMatchObject({ email: { 'payout.paid': true } });
    world.mail.behave(addressOf(ada), 'take');
    await world.tell(ada.accountId, { type: 'payout.paid', data: payout('paid') });
    await mailTo(ada);
  });

  it('tells the owner of an endpoint that it was disabled', async () => {
    const ada = await world.newAccount();
    const receiver = await world.receiver(answer(410));
    await world.register(ada, { url: receiver.url, types: ['invoice.paid'] });
    await world.tell(ada.accountId, { type: 'invoice.paid' });
    const mail = await mailTo(ada);
    expect(mail.headers.get('subject')).toBe('A webhook endpoint was disabled');
    expect(textOf(mail)).toContain(receiver.url);
  });
});

it('a new API key is mailed to its owner, without the key', async () => {
  await world.owner.query('alter table auth.api_key enable trigger tell_of_key');
  const ada = await world.newAccount();
  await world.owner.query('alter table auth.api_key disable trigger tell_of_key');
  const mail = await mailTo(ada);
  expect(mail.headers.get('subject')).toBe('A new API key was made');
  expect(mail.headers.has('list-unsubscribe')).toBe(false);
  expect(textOf(mail)).not.toContain(ada.token);
});

describe('a letter of auth', () => {
  const box = createSealedBox({ secret: mailSecret, purpose: 'mail-link' });
  const write = async (
    accountId: string | null,
    { id, link, expiresAtMs }: { id: string; link: string; expiresAtMs: number },
  ) =>
    world.owner.query(
      `insert into auth.letter (letter_id, type, account_id, link_sealed, asked_at, expires_at)
       values ($1, 'password_reset', $2, $3, now(), $4)`,
      [id, accountId, box.seal(link, id), new Date(expiresAtMs)],
    );
  const link = 'https://tollgate.example/password-reset?token=a-secret-of-the-test';

  it('brings its link, also to an address that bounced, and is forgotten then', async () => {
    const ada = await world.newAccount();
    await world.owner.query('update auth.account set email_bounced_at = now() where account_id = $1', [ada.accountId]);
    const expiresAtMs = world.realTime.now() + 3_600_000;
    await write(ada.accountId, { id: '0199a3b2-7c1d-7e4f-8a5b-00000000000a', link, expiresAtMs });
    await write(null, { id: '0199a3b2-7c1d-7e4f-8a5b-00000000000b', link, expiresAtMs });
    const mail = await mailTo(ada);
    expect(textOf(mail)).toContain(link);
    expect(mail.headers.get('message-id')).toBe('<0199a3b2-7c1d-7e4f-8a5b-00000000000a@tollgate.example>');
    await eventually(async () => (await waitingOf(ada)) === 0, { withinMs: 5_000 });
    expect(await world.owner.query('select from auth.letter')).toEqual([]);
    expect(world.logged()).not.toContain('a-secret-of-the-test');
    expect(world.logged()).not.toContain(mailPassword);
  });

  it('reaches an account that its owner has closed', async () => {
    const ada = await world.newAccount();
    await world.owner.query('update auth.account set closed_at = now() where account_id = $1', [ada.accountId]);
    await world.owner.query(
      "insert into auth.letter (letter_id, type, account_id, asked_at) values ($1, 'account.closed', $2, now())",
      ['0199a3b2-7c1d-7e4f-8a5b-00000000000d', ada.accountId],
    );
    const mail = await mailTo(ada);
    expect(mail.headers.get('subject')).toBe('Your account was closed');
    expect(textOf(mail)).toContain('Nobody can sign in any more.');
  });

  it('with a link of another secret is never sent with a wrong one', async () => {
    const ada = await world.newAccount();
    const other = createSealedBox({ secret: 'another secret, of more than 32 characters', purpose: 'mail-link' });
    const id = '0199a3b2-7c1d-7e4f-8a5b-00000000000c';
    await world.owner.query(
      `insert into auth.letter (letter_id, type, account_id, link_sealed, asked_at, expires_at)
       values ($1, 'password_reset', $2, $3, now(), now() + interval '1 minute')`,
      [id, ada.accountId, other.seal(link, id)],
    );
    await eventually(() => world.logged().includes('sealed with another MAIL_SECRET'), { withinMs: 5_000 });
    expect(mailsTo(ada)).toEqual([]);
  });
});

describe('a mail server', () => {
  const message = {
    to: 'ada@example.com',
    messageId: '<x@tollgate.example>',
    sentAtMs: 0,
    subject: 'A key\r\nBcc: eve@example.com\r\n\r\nof the name',
    text: 'text',
    html: '<p>text</p>',
    attachment: { filename: 'a\r\nBcc: eve@example.com.pdf', pdf: Buffer.from('x') },
  };
  const sender = { name: 'Tollgate', address: 'billing@tollgate.example' };
  const never = new AbortController().signal;

  it('gets no header and no recipient by a name with line breaks', async () => {
    const send = createSendMail({ url: world.mail.url, tls: 'required', sender, ca: world.mail.ca });
    expect(await send(message, never)).toEqual({ kind: 'accepted' });
    for (const to of ['ada@example.com>\r\nRCPT TO:<eve@example.com', 'ada@example.com, eve@example.com'])
      expect(await send({ ...message, to }, never)).toMatchObject({ kind: 'refused' });
    expect(world.mail.triesOf('eve@example.com')).toBe(0);
    const mail = await arrived(() => world.mail.received.find(({ to }) => to === message.to));
    expect([mail.headers.has('bcc'), mail.headers.get('message-id')]).toEqual([false, message.messageId]);
  });

  it('that nobody can trust, or that offers no TLS, gets no mail and no password', async () => {
    const untrusted = createSendMail({ url: world.mail.url, tls: 'required', sender });
    expect(await untrusted(message, never)).toMatchObject({
      kind: 'deferred',
      reason: expect.stringMatching(/ESOCKET|ETLS/),
    });
    const wrong = createSendMail({
      url: world.mail.url.replace(mailPassword, 'wrong'),
      tls: 'required',
      sender,
      ca: world.mail.ca,
    });
    expect(await wrong(message, never)).toMatchObject({ kind: 'deferred', reason: expect.stringContaining('535') });
  });
});

describe('without a mail server', () => {
  const silent = useOnce(() => startNotifier());

  it('nothing is stored for it, and the preferences are kept', async () => {
    const ada = await silent.newAccount();
    await silent.tell(ada.accountId, { type: 'payout.paid', data: payout('paid') });
    await silent.tell(ada.accountId, { type: 'webhook_endpoint.disabled', data: disabledEndpoint });
    await eventually(
      async () =>
        (
          await silent.owner.query("select from notify.event where account_id = $1 and type <> 'api_key.created'", [
            ada.accountId,
          ])
        ).length === 2,
      { withinMs: 5_000 },
    );
    expect(await silent.owner.query('select from notify.mail')).toEqual([]);
    const { body } = await silent.send('PUT', '/v1/notification-preferences', {
      token: ada.token,
      body: { email: {} },
    });
    expect(body).toMatchObject({ email: { 'payout.paid': true } });
    expect((await silent.send('GET', '/unsubscribe?token=x', {})).status).toBe(404);
  });

  it('a service does not start with half of its settings', () => {
    expect(() => silent.configWith({ SMTP_URL: 'smtp://mail.example.com' })).toThrow(/MAIL_FROM.*is required/s);
    expect(() => silent.configWith({ MAIL_SECRET: mailSecret })).toThrow(/SMTP_URL.*is required/s);
    const whole = { MAIL_FROM: 'a@b.example', MAIL_SECRET: mailSecret, PUBLIC_URL: 'https://t.example' };
    for (const url of ['http://x', 'smtp://h/?tls.rejectUnauthorized=false', 'smtp://h/x', 'mail.example.com'])
      expect(() => silent.configWith({ ...whole, SMTP_URL: url })).toThrow(/SMTP_URL/);
    expect(silent.configWith({ ...whole, SMTP_URL: 'smtps://u:p@mail.example.com:465' })).toMatchObject({
      SMTP_TLS: 'required',
    });
  });
});
