import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { writeUuid } from './uuid.ts';

describe('writeUuid', () => {
  it('writes the 16 bytes of any id at their place, and no others', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.nat({ max: 4 }), (id, start) => {
        const bytes = Buffer.alloc(24, 0xaa);
        expect(writeUuid(bytes, start, id)).toBe(16);
        const expected = Buffer.alloc(24, 0xaa);
        expected.write(id.replaceAll('-', ''), start, 'hex');
        expect(bytes).toEqual(expected);
      }),
    );
  });
});
