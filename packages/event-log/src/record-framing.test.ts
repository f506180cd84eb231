import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { frameRecords, unframeRecords } from './record-framing.ts';

it('gives back the keys and bytes that were framed, in order, with ascending offsets', () => {
  const traceparent = fc.constantFrom(undefined, '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01');
  const key = fc.string({ unit: 'grapheme' });
  const anyRecord = fc.record({ key, value: fc.uint8Array({ maxLength: 300 }), traceparent });
  fc.assert(
    fc.property(
      fc.array(anyRecord, { size: 'max', maxLength: 50 }),
      fc.bigInt({ min: 0n, max: 2n ** 62n }),
      (records, first) => {
        const read = unframeRecords(frameRecords(records), first);
        const plain = ({ key, value, traceparent }: (typeof records)[number] | (typeof read)[number]) => {
          return { key, value: [...value], traceparent };
        };
        expect(read.map(plain)).toEqual(records.map(plain));
        expect(read.map(({ offset }) => offset)).toEqual(records.map((_, index) => first + BigInt(index)));
      },
    ),
  );
});
