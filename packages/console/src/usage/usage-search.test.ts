import { expect, it } from '@jest/globals';
import { hoursOfDay, readUsageSearch, usageQueryOf } from './usage-search.ts';

it('reads the question of an address, and asks the API the same', () => {
  const search = readUsageSearch({ by: 'tool_id,pass_id', granularity: 'day', from: '', other: 'x', page: '3' });
  expect(search).toEqual({ by: 'tool_id,pass_id', granularity: 'day', page: '3' });
  expect(usageQueryOf(search)).toEqual({ group_by: ['tool_id,pass_id'], granularity: 'day' });
});

it('asks by a tag once it has a name', () => {
  expect(usageQueryOf({ by: 'tag', tag: 'team' })).toEqual({ group_by: ['tag.team'] });
  expect(usageQueryOf({ by: 'tag' })).toEqual({});
});

it('opens the hours of a day', () => {
  expect(hoursOfDay('2026-11-30T00:00:00.000Z')).toEqual({
    granularity: 'hour',
    from: '2026-11-30T00:00:00.000Z',
    to: '2026-12-01T00:00:00.000Z',
  });
});
