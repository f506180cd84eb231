import { describe, expect, it } from '@jest/globals';
import { operatorToken, useGatewayWithOperator } from '../support/use-gateway.ts';

const gateway = useGatewayWithOperator();

interface Alerts {
  readonly total: number;
  readonly next_cursor: string | null;
  readonly alerts: readonly Readonly<Record<string, unknown>>[];
}

const list = (token: string, path = '/v1/billing/alerts') => gateway.send<Alerts>('GET', path, { token });

describe('GET /v1/billing/alerts and /v1/operator/alerts', () => {
  it('200: have what was spent of caps and what became of automatic top-ups, newest first', async () => {
    const [{ token, accountId }, other] = [await gateway.newAccount(), await gateway.newAccount()];
    await gateway.owner.query(
      `insert into gate.spending_alert (account_id, scope, owner_id, window_start, window_end, percent, cap_micros, spent_micros, raised_at)
       values ($1, 'account', $1, '2026-11-01', '2026-12-01', 80, 10000000, 8000000, '2026-11-20T01:00:00Z')`,
      [accountId],
    );
    await gateway.owner.query(
      `insert into billing.balance_alert (type, account_id, period, place, failure_code, cap_cents, spent_cents, raised_at)
       values ('auto_top_up.failed', $1, '2026-11', 1, 'declined', 20000, 0, '2026-11-20T02:00:00Z'),
         ('auto_top_up.limit_reached', $1, '2026-11', 0, null, 20000, 15000, '2026-11-20T03:00:00Z')`,
      [accountId],
    );
    await gateway.owner.query(
      `insert into billing.balance_threshold_alert (account_id, below_cents, armed_at, cap_micros, spent_micros, raised_at)
       values ($1, 500, '2026-11-19', -1000000, 2000000, '2026-11-20T00:00:00Z')`,
      [accountId],
    );
    const { body } = await list(token);
    expect(body).toMatchObject({
      total: 4,
      alerts: [
        { type: 'auto_top_up.limit_reached', scope: 'auto_top_up', percent: 75, cap_usd: 200, spent_usd: 150 },
        { type: 'auto_top_up.failed', percent: 0, failure_code: 'declined', window_start: '2026-11-01T00:00:00.000Z' },
        { type: 'spending.threshold_reached', scope: 'account', percent: 80, failure_code: null, below_usd: null },
        { type: 'spending.threshold_reached', scope: 'balance', percent: 100, cap_usd: -1, spent_usd: 2, below_usd: 5 },
      ],
    });
    const first = await list(token, '/v1/billing/alerts?limit=2');
    const rest = await list(token, `/v1/billing/alerts?limit=2&cursor=${first.body.next_cursor}`);
    expect([...first.body.alerts, ...rest.body.alerts]).toEqual(body.alerts);
    expect((await list(other.token)).body.total).toBe(0);
    expect((await list(operatorToken, '/v1/operator/alerts')).body.total).toBe(4);
  });
});
