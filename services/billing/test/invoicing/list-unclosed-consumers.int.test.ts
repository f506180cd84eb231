import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { operatorToken as token, useBilling } from '../support/start-billing.ts';

const billing = useBilling();
const accountIds = [randomUUID(), randomUUID()];

// How a consumer gets here is tested in close-failures.int.test.ts.
beforeAll(async () => {
  for (const [index, accountId] of accountIds.entries())
    await billing.owner.query(
      `insert into billing.unclosed_consumer (consumer_id, period, reason, set_aside_at, retry_at)
       values ($1, '2026-10', 'statement timeout', $2, '2031-01-01Z')`,
      [accountId, `2026-11-0${index + 2}T00:00:00Z`],
    );
});

describe('GET /v1/operator/unclosed-consumers', () => {
  it('200: lists them in pages, the last that was set aside first', async () => {
    const list = (query: string) =>
      billing.send<{ next_cursor: string | null }>('GET', `/v1/operator/unclosed-consumers?limit=1${query}`, { token });
    const first = await list('');
    expect(first).toMatchObject({
      status: 200,
      body: {
        total: 2,
        consumers: [
          {
            account_id: accountIds[1],
            period: '2026-10',
            reason: 'statement timeout',
            failures: 1,
            set_aside_at: '2026-11-03T00:00:00.000Z',
            retry_at: '2031-01-01T00:00:00.000Z',
          },
        ],
      },
    });
    const second = await list(`&cursor=${first.body.next_cursor}`);
    expect(second.body).toMatchObject({ consumers: [{ account_id: accountIds[0] }], has_more: false });
  });
});
