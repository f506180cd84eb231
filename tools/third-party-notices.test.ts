import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { newcomersSince, noticesFile, thirdPartyNotices, unacceptedPackages } from './third-party-notices.ts';
import { shippedPackages } from './shipped-packages.ts';

const notices = readFileSync(noticesFile, 'utf8');

it('what ships brings no package that the notices do not name (else look at it, then: pnpm notices)', () => {
  expect(newcomersSince(notices)).toEqual([]);
});

it('the notices name each shipped package in its version, and no other (else: pnpm notices)', () => {
  expect(thirdPartyNotices()).toBe(notices);
});

it('each shipped package has a licence that is accepted', () => {
  expect(unacceptedPackages()).toEqual([]);
});

it('names a newcomer with its size', () => {
  const without = notices.replace(/\nexpress .*/, '');
  expect(newcomersSince(without)).toEqual([expect.stringMatching(/^express \S+, \d+ kB$/)]);
});

it('what ships has no studio, no second database and nothing that reports installations', () => {
  const names = shippedPackages().map(({ name }) => name);
  const unwanted = [
    '@radix-ui/react-toggle',
    'mysql2',
    '@electric-sql/pglite',
    '@scarf/scarf',
    'elkjs',
    'prisma',
    '@grpc/grpc-js',
  ];
  expect(names.filter((name) => unwanted.includes(name))).toEqual([]);
  expect(names).toContain('@prisma/client');
});
