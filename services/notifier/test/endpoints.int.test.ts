import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { systemClock } from '@tollgate/kernel/clock';
import { useOnce } from '@tollgate/testkit/use-world';
import { arrived } from './support/arrived.ts';
import { startNotifier, type EndpointBody } from './support/use-notifier.ts';

const world = useOnce(() => startNotifier());
const path = '/v1/webhook-endpoints';

describe('an endpoint', () => {
  it('is registered with a secret that is shown once, listed, changed and removed', async () => {
    const { token } = await world.newAccount();
    const body = { url: 'https://example.com/told', types: ['invoice.paid', 'invoice.paid'], description: 'books' };
    const made = await world.send<EndpointBody>('POST', path, { token, body });
    expect(made).toMatchObject({ status: 201, body: { types: ['invoice.paid'], enabled: true, failing_since: null } });
    expect(made.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret, ...shown } = made.body;
    expect((await world.send('GET', path, { token })).body).toEqual({ webhook_endpoints: [shown], total: 1 });
    expect((await world.send('GET', `${path}/${shown.id}`, { token })).body).toEqual(shown);

    const change = { url: 'https://example.org/told', types: null, description: null, enabled: false };
    const { body: changed } = await world.send('PATCH', `${path}/${shown.id}`, { token, body: change });
    expect(changed).toMatchObject({ ...change, disabled_reason: 'owner' });
    expect((await world.send('PATCH', `${path}/${shown.id}`, { token, body: { enabled: true } })).body).toMatchObject({
      url: change.url,
      enabled: true,
      disabled_reason: null,
    });

    expect((await world.send('DELETE', `${path}/${shown.id}`, { token })).status).toBe(204);
    expect((await world.send('GET', `${path}/${shown.id}`, { token })).status).toBe(404);
    const acts = await world.owner.query<{ action: string }>(
      'select action from audit.act where object_id = $1 order by act_id',
      [shown.id],
    );
    expect(acts.map(({ action }) => action)).toEqual([
      'webhook_endpoint.created',
      'webhook_endpoint.changed',
      'webhook_endpoint.changed',
      'webhook_endpoint.removed',
    ]);
    const [{ trail: stored } = { trail: '' }] = await world.owner.query<{ trail: string }>(
      'select string_agg(act::text, chr(10)) as trail from audit.act',
    );
    expect(stored).not.toContain(secret);
  });

  it('is one of ten at most, also when many are asked for at once', async () => {
    const { token } = await world.newAccount();
    const asked = Array.from({ length: 14 }, () =>
      world.send('POST', path, { token, body: { url: 'https://example.com/told' } }),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => String(status)).toSorted();
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => '201'), '422', '422', '422', '422']);
  });

  it('is made once for one Idempotency-Key, and the repeat has its secret again', async () => {
    const { token } = await world.newAccount();
    const ask = () =>
      world.send<EndpointBody>('POST', path, {
        token,
        headers: { 'Idempotency-Key': 'once' },
        body: { url: 'https://example.com/told' },
      });
    const [first, second] = [await ask(), await ask()];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('Idempotent-Replayed')).toBe('true');
    expect((await world.send<{ total: number }>('GET', path, { token })).body.total).toBe(1);
  });

  it.each([
    ['http://example.com:8080/told', 'https'],
    ['ftp://example.com/told', 'https'],
    ['https://user:secret@example.com/', 'user name'],
    ['https://example.com:22/', 'Port 22'],
    ['https://10.0.0.1/', 'public'],
    ['https://[::ffff:169.254.169.254]/', 'public'],
    ['no address', 'URL'],
  ])('is refused at %s', async (url, reason) => {
    const { token } = await world.newAccount();
    const { status, body } = await world.send('POST', path, { token, body: { url } });
    expect({ status, code: body['code'] }).toEqual({ status: 422, code: 'webhook_url_refused' });
    expect(body['detail']).toContain(reason);
  });

  it('is unknown to everybody but its owner', async () => {
    const [ada, bob] = [await world.newAccount(), await world.newAccount()];
    const { id } = await world.register(ada, { url: 'https://example.com/told' });
    const { token } = bob;
    for (const [method, of, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { enabled: false }],
      ['DELETE', '', undefined],
      ['POST', '/rotate-secret', {}],
      ['POST', '/test', undefined],
      ['POST', '/redeliver', { from: '2026-01-01T00:00:00Z' }],
    ] as const)
      expect((await world.send(method, `${path}/${id}${of}`, { token, body })).status).toBe(404);
    const { body } = await world.send<{ enabled: boolean }>('GET', `${path}/${id}`, { token: ada.token });
    expect(body.enabled).toBe(true);
  });
});

describe('the secret of an endpoint', () => {
  it('is replaced: both sign until the grace ends, then the new one alone', async () => {
    const ada = await world.newAccount();
    const receiver = await world.receiver();
    const { id, secret: first } = await world.register(ada, { url: receiver.url });
    const rotated = await world.send<EndpointBody>('POST', `${path}/${id}/rotate-secret`, {
      token: ada.token,
      body: { grace_seconds: 600 },
    });
    const { secret: second } = rotated.body;
    expect(second).not.toBe(first);
    const told = async () => {
      const before = receiver.received.length;
      await world.tell(ada.accountId);
      return arrived(() => receiver.received[before]);
    };
    const during = await told();
    for (const secret of [first, second]) new Webhook(secret).verify(during.body, during.headers);
    world.realTime.advance(601_000);
    const after = await told();
    const timestamp = String(Math.floor(systemClock.now() / 1_000)); // the library compares with the machine's clock
    expect(() => new Webhook(first).verify(after.body, { ...after.headers, 'webhook-timestamp': timestamp })).toThrow(
      'No matching signature found',
    );
    expect(after.headers['webhook-signature']?.split(' ')).toHaveLength(1);
  });

  it('lies in the database sealed, for its own endpoint alone', async () => {
    const ada = await world.newAccount();
    const { id, secret } = await world.register(ada, { url: 'https://example.com/told' });
    const [row] = await world.owner.query<{ secret: Uint8Array }>(
      'select secret from notify.endpoint where endpoint_id = $1',
      [id],
    );
    const sealed = Buffer.from(row?.secret ?? []);
    expect(sealed.length).toBeGreaterThan(50);
    expect(sealed.includes(secret)).toBe(false);
    expect(sealed.includes(Buffer.from(secret.slice(6), 'base64'))).toBe(false);
  });
});
