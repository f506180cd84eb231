import { expect, it } from '@jest/globals';
import { readCallsSearch } from './calls-search.ts';

it('reads the filters of an address, and nothing else', () => {
  expect(readCallsSearch({ tool_id: 'weather', pass_id: '', cursor: 7, other: 'x' })).toEqual({ tool_id: 'weather' });
});
