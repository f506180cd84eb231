import { expect, it } from '@jest/globals';
import { createHashUserCode, createUserCode } from './user-code.ts';

it('makes codes of eight letters that nobody confuses', () => {
  for (let round = 0; round < 100; round += 1)
    expect(createUserCode()).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  expect(createUserCode((below) => below - 1)).toBe('ZZZZ-ZZZZ');
});

it('hashes a code as people type it, and otherwise under another secret', () => {
  const hash = createHashUserCode('a secret');
  for (const typed of ['wdjb-mjht', 'WDJBMJHT', ' wdjb mjht ']) expect(hash(typed)).toEqual(hash('WDJB-MJHT'));
  expect(hash('WDJB-MJHV')).not.toEqual(hash('WDJB-MJHT'));
  expect(createHashUserCode('another secret')('WDJB-MJHT')).not.toEqual(hash('WDJB-MJHT'));
});
