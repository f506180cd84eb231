import { expect, it } from '@jest/globals';
import { createUnsubscribeLinks } from './unsubscribe-links.ts';

const links = createUnsubscribeLinks({
  secret: 'a secret of these tests, long enough',
  publicUrl: 'https://t.example/app/',
});
const subscription = { accountId: '0199a3b2-0000-7e4f-8a5b-6c7d8e9f0a1b', type: 'payout.paid' } as const;
const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? '';

it('a link that ends a kind of mail names it, and nobody else can make one', () => {
  const url = links.urlOf(subscription);
  expect(url).toMatch(/^https:\/\/t\.example\/app\/unsubscribe\?token=/);
  expect(links.read(tokenOf(url))).toEqual(subscription);
  const [of, signature] = [tokenOf(url).slice(0, -44), tokenOf(url).slice(-43)];
  for (const forged of [
    `${of.replace('0199', '0198')}.${signature}`,
    `${of.replace('paid', 'failed')}.${signature}`,
    `${of.replace('payout.paid', 'invoice.issued')}.${signature}`,
    `${of}.${signature.slice(0, -2)}AA`,
    of,
    '',
  ])
    expect(links.read(forged)).toBeUndefined();
  const other = createUnsubscribeLinks({
    secret: 'another secret of these tests, too',
    publicUrl: 'https://t.example',
  });
  expect(other.read(tokenOf(url))).toBeUndefined();
});
