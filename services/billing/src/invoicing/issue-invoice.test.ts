import { describe, expect, it } from '@jest/globals';
import { isUuid } from '@tollgate/kernel/uuid';
import fc from 'fast-check';
import { invoiceIdOf } from './issue-invoice.ts';

const periods = fc
  .tuple(fc.integer({ min: 1970, max: 9999 }), fc.integer({ min: 1, max: 12 }))
  .map(([year, month]) => `${year}-${String(month).padStart(2, '0')}`);

describe('ids of invoices', () => {
  it('sort by period, so a close writes to one place of each index', () => {
    fc.assert(
      fc.property(periods, periods, fc.uuid(), fc.uuid(), (earlier, later, left, right) => {
        fc.pre(earlier < later);
        const ids = [
          invoiceIdOf({ consumerId: left, period: earlier }),
          invoiceIdOf({ consumerId: right, period: later }),
        ];
        expect(ids.map(isUuid)).toEqual([true, true]);
        expect(ids.toSorted()).toEqual(ids);
      }),
    );
  });

  it('are the same each time, and differ between the consumers of a period', () => {
    fc.assert(
      fc.property(periods, fc.uniqueArray(fc.uuid(), { minLength: 2 }), (period, consumers) => {
        const ids = consumers.map((consumerId) => invoiceIdOf({ consumerId, period }));
        expect(new Set(ids).size).toBe(consumers.length);
        expect(consumers.map((consumerId) => invoiceIdOf({ consumerId, period }))).toEqual(ids);
      }),
    );
  });
});
