import { expect, it } from '@jest/globals';
import { toCsv } from './write-output.ts';

it('quotes what a field of CSV cannot have, and leaves nothing empty', () => {
  const rows = [{ tool: 'a,b', note: 'says "hi"', calls: 3, paid: null }, { tool: 'plain' }];
  expect(toCsv(rows, ['tool', 'note', 'calls', 'paid'])).toBe(
    'tool,note,calls,paid\r\n"a,b","says ""hi""",3,\r\nplain,,,',
  );
});
