import { get } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { longestHoldMs } from '@tollgate/testkit/longest-hold';
import { putLargeInvoice, putManyTools } from '../support/put-large-invoice.ts';
import { putWatermark } from '../support/put-rollup.ts';
import { operatorToken, useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let ada: TestAccount; // owns the tools
let bob: TestAccount;
let invoiceId: string;

const month = '2026-11';
const lines = 4_000;
const holdMsMax = 50;

beforeAll(async () => {
  [ada, bob] = [await billing.newAccount(), await billing.newAccount()];
  const { owner } = billing;
  await putManyTools(owner, { builderId: ada.accountId, prefix: 'many', tools: 2_000 });
  // 9,672 rows by tool and hour of bob's, and one row for each of 2,000 tools.
  await owner.query(
    `insert into usage.rollup select $1::uuid, tool_id, '2026-11-01Z'::timestamptz + h * interval '1 hour', true, 3, 40
     from billing.tool cross join generate_series(0, 743) h where tool_id <= 'many-000011' and h < 720
     union all select $1, tool_id, '2026-11-02Z', true, 3, 40 from billing.tool where tool_id > 'many-000011'`,
    [bob.accountId],
  );
  await owner.query(
    `insert into usage.rollup_measure select consumer_id, tool_id, hour, success, key, 1.5
     from usage.rollup cross join unnest('{tokens,bytes,pages}'::text[]) key where tool_id <= 'many-000011'`,
  );
  await owner.query(
    `insert into billing.tool_price (price_id, tool_id, effective_from, price, measures, created_at)
     select gen_random_uuid(), tool_id, '2027-01-01Z'::timestamptz + n * interval '1 hour', price, '{}', created_at
     from billing.tool_price cross join generate_series(1, 999) n where tool_id = 'many-000001'`,
  );
  const whose = { consumerId: bob.accountId, builderId: ada.accountId };
  for (let index = 0; index < 99; index += 1) {
    const period = `${2010 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
    await putLargeInvoice(owner, { ...whose, period, tools: 6, linesPerTool: 10, issuedAtMs: index * 60_000 });
  }
  const large = { period: '2026-09', tools: lines / 8, linesPerTool: 8, issuedAtMs: billing.clock.now() };
  invoiceId = await putLargeInvoice(owner, { ...whose, ...large });
  await owner.query(`insert into billing.closed_period select '2026-10', now()`);
  await putWatermark(owner, '2026-11-21T00:00:00Z');
  await owner.query('analyze'); // as autovacuum does after such inserts
}, 180_000);

/** Reads the whole answer, and throws it away: what a client does with it keeps this process, too. */
async function ask(path: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(new URL(path, billing.baseUrl), { headers: { authorization: `Bearer ${token}` } }, (response) =>
      response
        .resume()
        .on('end', () => resolve(response.statusCode ?? 0))
        .on('error', reject),
    );
    request.on('error', reject);
  });
}

describe('F134 no other request waits for more than 50 ms', () => {
  const hours = `from=${month}-01T00:00:00Z&to=2026-12-01T00:00:00Z&granularity=hour&group_by=tool_id`;
  const bobs: readonly (readonly [string, () => string])[] = [
    ['an invoice of 4,000 lines', () => `/v1/billing/invoices/${invoiceId}`],
    ['a page of its lines', () => `/v1/billing/invoices/${invoiceId}/lines?limit=100`],
    ['its PDF', () => `/v1/billing/invoices/${invoiceId}.pdf`],
    ['100 invoices', () => '/v1/billing/invoices?limit=100'],
    ['an upcoming invoice of 16,000 lines', () => '/v1/billing/invoices/upcoming'],
    ['usage of 10,000 rows', () => `/v1/usage?${hours}`],
    ['usage by success', () => `/v1/usage?${hours},success`],
    ['100 tools', () => '/v1/tools?owner=all&limit=100'],
    ['100 of 1,000 price versions', () => '/v1/tools/many-000001/prices?limit=100'],
    ['the payment method', () => '/v1/billing/payment-method'],
  ];
  const adas: readonly (readonly [string, () => string])[] = [
    ['usage of her tools', () => `/v1/usage?${hours},consumer_id&role=builder`],
    ['her account', () => '/v1/billing/account'],
    ['her payouts', () => '/v1/billing/payouts?limit=100'],
    ['her statement', () => `/v1/billing/statements?period=${month}`],
    ['her tools', () => '/v1/tools?limit=100'],
  ];
  const operators: readonly (readonly [string, () => string])[] = [
    ['accounts', () => '/v1/operator/accounts?limit=100'],
    ['unclosed consumers', () => '/v1/operator/unclosed-consumers?limit=100'],
    ['the payouts of an account', () => `/v1/operator/accounts/${ada.accountId}/payouts`],
    ['refunds', () => `/v1/operator/invoices/${invoiceId}/refunds`],
    ['attempts', () => `/v1/operator/invoices/${invoiceId}/attempts`],
  ];
  const all = [
    ...bobs.map(([name, path]) => [name, path, () => bob.token] as const),
    ...adas.map(([name, path]) => [name, path, () => ada.token] as const),
    ...operators.map(([name, path]) => [name, path, () => operatorToken] as const),
  ];

  it.each(all)(
    'for %s',
    async (_name, path, token) => {
      const statuses = new Set<number>();
      await ask(path(), token()); // the first request compiles
      const heldMs = await longestHoldMs(async () => statuses.add(await ask(path(), token())));
      expect([...statuses]).toEqual([path().includes('payment-method') ? 404 : 200]);
      expect(heldMs).toBeLessThan(holdMsMax);
    },
    60_000,
  );
});
