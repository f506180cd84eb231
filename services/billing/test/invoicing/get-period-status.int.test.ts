import { describe, expect, it } from '@jest/globals';
import { operatorToken as token, useBilling } from '../support/start-billing.ts';

const path = '/v1/operator/periods';
const billing = useBilling();

const status = (period: string) => billing.send('GET', `${path}/${period}`, { token });

async function countThrough(time: string): Promise<void> {
  await billing.owner.query("insert into usage.log_topic values ('usage.events.v1', 1) on conflict do nothing");
  await billing.owner.query(
    `insert into usage.cursor (topic, partition, counted_through) values ('usage.events.v1', 0, $1)
     on conflict (topic, partition) do update set counted_through = excluded.counted_through`,
    [time],
  );
}

describe(`GET ${path}/{period}: 200`, () => {
  it('is not closable before anything was counted', async () => {
    expect((await status('2026-11')).body).toEqual({
      period: '2026-11',
      starts_at: '2026-11-01T00:00:00.000Z',
      ends_at: '2026-12-01T00:00:00.000Z',
      counted_through: '1970-01-01T00:00:00.000Z',
      final_through: '1970-01-01T00:00:00.000Z',
      closable_at: '2026-12-02T00:00:00.000Z',
      closable: false,
    });
  });

  it('is closable from the moment that the watermark is a day past its end', async () => {
    await countThrough('2026-12-01T23:59:59.999Z');
    expect((await status('2026-11')).body).toMatchObject({
      closable: false,
      final_through: '2026-11-30T23:00:00.000Z',
    });
    await countThrough('2026-12-02T00:00:00Z');
    expect((await status('2026-11')).body).toMatchObject({ closable: true, final_through: '2026-12-01T00:00:00.000Z' });
    expect((await status('2026-12')).body).toMatchObject({ closable: false });
  });
});

describe(`GET ${path}/{period}: 401`, () => {
  it('refuses who is nobody', async () => {
    expect(await billing.send('GET', `${path}/2026-11`)).toMatchObject({ status: 401 });
  });
});

describe(`GET ${path}/{period}: 404`, () => {
  it.each(['2026-13', '2026', 'now', '0026-11', '2026-11-01'])('knows no period %s', async (period) => {
    expect(await status(period)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('is not there for an account', async () => {
    expect(await billing.send('GET', `${path}/2026-11`, await billing.newAccount())).toMatchObject({ status: 404 });
  });
});
