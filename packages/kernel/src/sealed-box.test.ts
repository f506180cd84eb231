import { describe, expect, it } from '@jest/globals';
import { createSealedBox } from './sealed-box.ts';

const secret = 'a secret that is long enough to be one';
const box = createSealedBox({ secret, purpose: 'signing-key' });

describe('sealed box', () => {
  it('opens what it sealed', () => {
    expect(box.open(box.seal('gr\u00fc\u00dfe', 'row 1'), 'row 1')).toBe('gr\u00fc\u00dfe');
  });

  it('does not seal twice alike, nor show the text', () => {
    const sealed = box.seal('canary', 'row 1');
    expect(sealed.equals(box.seal('canary', 'row 1'))).toBe(false);
    expect(sealed.includes('canary')).toBe(false);
  });

  it.each([
    ['another row', box, 'row 2'],
    ['another purpose', createSealedBox({ secret, purpose: 'token-rotation' }), 'row 1'],
    ['another secret', createSealedBox({ secret: `${secret}!`, purpose: 'signing-key' }), 'row 1'],
  ])('does not open for %s', (_title, other, context) => {
    expect(other.open(box.seal('text', 'row 1'), context)).toBeUndefined();
  });

  it('does not open when any byte is altered, or cut off', () => {
    const sealed = box.seal('text', 'row 1');
    for (let index = 0; index < sealed.length; index += 1) {
      const altered = Buffer.from(sealed);
      altered[index] = (altered[index] ?? 0) ^ 1;
      expect(box.open(altered, 'row 1')).toBeUndefined();
      expect(box.open(sealed.subarray(0, index), 'row 1')).toBeUndefined();
    }
  });
});
