import { expect, it } from '@jest/globals';
import { domainOf, readSender } from './sender.ts';

it('a sender is an address, with a name or without', () => {
  expect(readSender('Tollgate Ltd <billing@example.com>')).toEqual({
    name: 'Tollgate Ltd',
    address: 'billing@example.com',
  });
  expect(readSender('billing@example.com')).toEqual({ name: 'Tollgate', address: 'billing@example.com' });
  expect(domainOf({ name: '', address: 'billing@mail.example.com' })).toBe('mail.example.com');
});

it.each(['', 'Tollgate', 'a@b\r\nBcc: c@d', 'x\n<a@b>', '<a@b> <c@d>', 'a b@example.com', 'a@b, c@d', 'a@'])(
  'a sender is not %j',
  (text) => expect(readSender(text)).toBeUndefined(),
);
