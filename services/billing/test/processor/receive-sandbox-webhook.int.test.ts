import { createHmac, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { onboard, readAccount } from '../support/connect-builder.ts';
import { testWebhookSecret, useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let builder: TestAccount;
let processorAccountId: string;

beforeAll(async () => {
  builder = await billing.newAccount();
  processorAccountId = (await onboard(billing, builder, 'complete')).processor_account_id ?? '';
});

interface Sent {
  readonly id?: string;
  readonly type?: string;
  readonly objectId?: string;
  readonly ageSeconds?: number;
  readonly secret?: string;
  readonly tamper?: (rawBody: string) => string;
}

/** Written anew from the route's description, not with the sender's code. */
function post(sent: Sent = {}) {
  const { id = newId(), type = 'account.updated', objectId = processorAccountId, ageSeconds = 0 } = sent;
  const seconds = Math.floor(billing.clock.now() / 1_000) - ageSeconds;
  const rawBody = JSON.stringify({ id, type, created: seconds, object_id: objectId });
  const digest = createHmac('sha256', sent.secret ?? testWebhookSecret)
    .update(`${seconds}.${rawBody}`)
    .digest('hex');
  return send(sent.tamper?.(rawBody) ?? rawBody, `t=${seconds},v1=${digest}`);
}

function send(rawBody: string, signature?: string) {
  const headers = {
    'content-type': 'application/json',
    ...(signature !== undefined && { 'sandbox-signature': signature }),
  };
  return billing.send('POST', '/v1/webhooks/sandbox', { headers, rawBody });
}

const newId = () => `evt_${randomUUID()}`;

const setAtProcessor = (arePayoutsEnabled: boolean, id = processorAccountId) =>
  billing.owner.query('update sandbox.account set payouts_enabled = $2 where account_id = $1', [id, arePayoutsEnabled]);

/** As many who have gone through onboarding; their ids at the processor. */
async function addBuilders(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => `acct_sandbox_of_order_${index}`);
  await billing.owner.query(
    `with made as (
       insert into sandbox.account (account_id, idempotency_key, reference, details_submitted, created_at)
       select id, id, id, true, '2026-11-21T00:00:00Z' from unnest($1::text[]) as t (id) returning account_id)
     insert into billing.connected_account (account_id, processor, processor_account_id, created_at)
     select gen_random_uuid(), 'sandbox', account_id, '2026-11-21T00:00:00Z' from made`,
    [ids],
  );
  return ids;
}

interface Stored {
  readonly applied_at: Date | null;
  readonly attempts: number;
}

const inbox = (id: string) =>
  billing.owner.query<Stored>('select applied_at, attempts from billing.webhook_event where event_id = $1', [id]);

const unapplied = () => billing.owner.query('select 1 from billing.webhook_event where applied_at is null');
const allApplied = () => eventually(async () => (await unapplied()).length === 0, { withinMs: 30_000 });

const isPayoutEnabled = async () => (await readAccount(billing, builder)).payout_enabled;

describe('POST /v1/webhooks/sandbox: 204', () => {
  it('stores the webhook before it answers, and applies it by reading the object again', async () => {
    await setAtProcessor(false);
    const id = newId();
    expect((await post({ id })).status).toBe(204);
    expect(await inbox(id)).toHaveLength(1);
    await allApplied();
    expect(await isPayoutEnabled()).toBe(false);
  });

  it('F62 stores one webhook once when it arrives ten times at once', async () => {
    await setAtProcessor(true);
    const id = newId();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post({ id })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    expect(await inbox(id)).toHaveLength(1);
    await allApplied();
    expect(await isPayoutEnabled()).toBe(true);
    const [first] = await inbox(id);
    billing.clock.advance(60_000);
    await post({ id });
    await allApplied();
    expect(await inbox(id)).toEqual([first]);
  });

  it('F63 ends where the processor is, in each order in which five webhooks can arrive', async () => {
    const orders = permutations([0, 1, 2, 3, 4]);
    const ids = await addBuilders(orders.length);
    const changes = [true, false, true, false];
    const deliver = async (order: readonly number[], index: number): Promise<void> => {
      for (const [step, place] of order.entries()) {
        await setAtProcessor(changes[step] ?? index % 2 === 0, ids[index]);
        await post({ id: `evt_${index}_${place}`, objectId: ids[index] ?? '' });
      }
    };
    const waiting = [...orders.entries()]; // twenty at a time: the pool has five connections
    while (waiting.length > 0) await Promise.all(waiting.splice(0, 20).map(([index, order]) => deliver(order, index)));
    await allApplied();
    const text = `select payouts_enabled as is_enabled from billing.connected_account
      where processor_account_id = any($1) order by array_position($1, processor_account_id)`;
    expect(await billing.owner.query(text, [ids])).toEqual(ids.map((_, index) => ({ is_enabled: index % 2 === 0 })));
  }, 60_000);

  it('F63 accepts a late webhook', async () => {
    await setAtProcessor(false);
    await post();
    await allApplied();
    expect((await post({ ageSeconds: 300 })).status).toBe(204);
    await allApplied();
    expect(await isPayoutEnabled()).toBe(false);
  });

  it('accepts unknown types and unknown accounts', async () => {
    expect((await post({ type: 'weather.changed', objectId: 'sun' })).status).toBe(204);
    expect((await post({ objectId: 'acct_sandbox_of_somebody_else' })).status).toBe(204);
    await allApplied();
  });

  it('does not connect a disconnected account again', async () => {
    await billing.send('DELETE', '/v1/billing/connect', builder);
    await post();
    await allApplied();
    expect(await readAccount(billing, builder)).toMatchObject({ processor_connected: false, payout_enabled: false });
    await billing.send('POST', '/v1/billing/connect', { ...builder, body: { return_url: 'https://builder.example' } });
  });

  it('keeps a webhook that cannot be applied until it can; others do not wait', async () => {
    await setAtProcessor(true);
    await billing.owner.query('alter table sandbox.account rename to account_away');
    const id = newId();
    expect((await post({ id })).status).toBe(204);
    await eventually(async () => ((await inbox(id))[0]?.attempts ?? 0) > 0, { withinMs: 3_000 });
    const other = newId();
    await post({ id: other, type: 'weather.changed' });
    await eventually(async () => (await inbox(other))[0]?.applied_at != null, { withinMs: 3_000 });
    expect(await inbox(id)).toMatchObject([{ applied_at: null }]);
    await billing.owner.query('alter table sandbox.account_away rename to account');
    await post();
    await allApplied();
    expect(await isPayoutEnabled()).toBe(true);
  });
});

describe('POST /v1/webhooks/sandbox: 400, 413', () => {
  const stored = async () => (await billing.owner.query('select 1 from billing.webhook_event')).length;

  it.each<[string, Sent]>([
    ['with another secret', { secret: 'another secret of sufficient length' }],
    ['301 s old', { ageSeconds: 301 }],
    ['301 s ahead', { ageSeconds: -301 }],
    ['serialised again', { tamper: (rawBody) => JSON.stringify(JSON.parse(rawBody), null, 1) }],
    ['with another body', { tamper: (rawBody) => rawBody.replace('account.updated', 'account.updateD') }],
    ['with an empty body', { tamper: () => '' }],
    ['signed, but no event', { id: '' }],
  ])('F64 refuses one %s, and keeps nothing of it', async (_name, sent) => {
    const before = await stored();
    expect(await post(sent)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await stored()).toBe(before);
  });

  it.each([undefined, '', 'v1=00', `t=1,v1=${'0'.repeat(64)}`, `t=${'9'.repeat(12)},v1=${'0'.repeat(64)}`, 't=,v1='])(
    'F64 refuses the signature %s',
    async (signature) => {
      expect(await send('{}', signature)).toMatchObject({ status: 400 });
    },
  );

  it('reads no more than 64 KiB', async () => {
    expect(await send('a'.repeat(65_537), 't=1,v1=0')).toMatchObject({ status: 413 });
  });
});

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}
