import { expect, it } from '@jest/globals';
import { toTable } from './text-table.ts';

it('aligns columns, numbers at the right, and shows nothing as a dash', () => {
  const rows = [
    { slug: 'search', calls: 9, paid_at: null },
    { slug: 'a', calls: 1200 },
  ];
  expect(toTable(rows, ['slug', 'calls', 'paid_at'])).toBe(
    'slug    calls  paid_at\nsearch      9  -\na        1200  -',
  );
});

it('lets no name move the cursor of the terminal', () => {
  expect(toTable([{ name: 'a\u001b[2Jb' }], ['name'])).toBe('name\na [2Jb');
});
