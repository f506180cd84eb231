import type { Price } from '@tollgate/contracts/tools/price';
import { micros } from '@tollgate/kernel/money';
import type { Line } from '@tollgate/pricing/line';
import type { Invoice } from '../../src/invoicing/invoice.ts';

/** An open invoice of one line, and what is printed beside it. */
export const line: Line = {
  period: '2026-09',
  consumerId: '0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b',
  builderId: '0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1c',
  toolId: 'search',
  priceId: '0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1d',
  chargeIndex: 0,
  name: 'per call',
  quantity: '201',
  unit: 'calls',
  chargeMicros: micros(502_500n),
};

const price: Price = {
  currency: 'usd',
  bill_failed_calls: false,
  charges: [
    {
      name: 'per call',
      metric: { type: 'calls' },
      model: { type: 'per_unit', unit_price_usd: '0.0025' },
      free_quantity: '0',
    },
  ],
};

export const invoice: Invoice = {
  id: '8f3b0c1e-7c1d-8e4f-8a5b-6c7d8e9f0a1b',
  number: 42n,
  consumerId: line.consumerId,
  period: '2026-09',
  status: 'open',
  lines: [line],
  lineCount: 1,
  chargeMicros: micros(502_500n),
  carriedInMicros: micros(0n),
  totalCents: 50n,
  carriedOutMicros: micros(2_500n),
  issuedAtMs: Date.parse('2026-10-02T00:00:00Z'),
  dueAtMs: Date.parse('2026-10-16T00:00:00Z'),
  paidAtMs: null,
  refundedCents: 0n,
  balancePaidCents: 0n,
  balanceParts: [],
  partPaidCents: 0n,
  heldFor: null,
};

const prices: ReadonlyMap<string, Price> = new Map([[line.priceId, price]]);
const email = 'ada@example.com';
export const rest = {
  email,
  toolSums: null,
  prices,
  parties: undefined,
  toolNames: new Map<string, string>(),
  chargeIds: [],
};
