import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { frameRecords, unframeRecords } from './record-framing.ts';

it('gives back the keys and bytes that were framed, in order, with ascending offsets', () => {
  const anyRecord = fc.record({ key: fc.string({ unit: 'grapheme' }), value: fc.uint8Array({ maxLength: 300 }) });
  fc.assert(
    fc.property(
      fc.array(anyRecord, { size: 'max', maxLength: 50 }),
      fc.bigInt({ min: 0n, max: 2n ** 62n }),
      (records, first) => {
        const read = unframeRecords(frameRecords(records), first);
        expect(read.map(({ key, value }) => ({ key, value: [...value] }))).toEqual(
          records.map(({ key, value }) => ({ key, value: [...value] })),
        );
        expect(read.map(({ offset }) => offset)).toEqual(records.map((_, index) => first + BigInt(index)));
      },
    ),
  );
});
