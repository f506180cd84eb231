import { describe, expect, it } from '@jest/globals';
import { putWatermark } from '../support/put-rollup.ts';
import { operatorToken as token, useBilling } from '../support/start-billing.ts';

const billing = useBilling();
const status = (period: string) => billing.send('GET', `/v1/operator/periods/${period}`, { token });

// When a period is closable is tested in period-status.test.ts.
describe('GET /v1/operator/periods/{period}', () => {
  it('200: is not closable before anything was counted, and from the moment that its end is final', async () => {
    expect((await status('2026-11')).body).toEqual({
      period: '2026-11',
      starts_at: '2026-11-01T00:00:00.000Z',
      ends_at: '2026-12-01T00:00:00.000Z',
      counted_through: '1970-01-01T00:00:00.000Z',
      final_through: '1970-01-01T00:00:00.000Z',
      closable_at: '2026-12-02T00:00:00.000Z',
      closable: false,
    });
    await putWatermark(billing.owner, '2026-12-02T00:00:00Z');
    const final = { closable: true, final_through: '2026-12-01T00:00:00.000Z' };
    expect((await status('2026-11')).body).toMatchObject(final);
  });

  it.each(['2026-13', '2026', 'now', '0026-11', '2026-11-01'])('404: knows no period %s', async (period) => {
    expect(await status(period)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});
