import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { buildCliImage } from './build-cli-image.ts';
import { problemsOfMetadata } from './pack-wheel.ts';
import { repository } from './workspace-packages.ts';

describe('the metadata of a wheel', () => {
  const fields = [
    'Metadata-Version: 2.4',
    'Name: tollgate',
    'Version: 1.2.3',
    'License-Expression: Apache-2.0',
    'License-File: LICENSE',
    'Description-Content-Type: text/markdown',
  ];
  const readme = readFileSync(join(repository, 'clients/python/README.md'), 'utf8');
  const metadata = (lines: readonly string[], description = readme): string => `${lines.join('\n')}\n\n${description}`;

  it('has no problem with the licence, the version and the README', () => {
    expect(problemsOfMetadata(metadata(fields), '1.2.3')).toEqual([]);
  });

  it('has one for each field that is missing or different, and for another description', () => {
    for (const field of fields.slice(1)) {
      const others = fields.filter((other) => other !== field);
      expect(problemsOfMetadata(metadata(others), '1.2.3')).toEqual([`does not say "${field}"`]);
    }
    expect(problemsOfMetadata(metadata(fields), '1.2.4')).toEqual(['does not say "Version: 1.2.4"']);
    expect(problemsOfMetadata(metadata(fields, ''), '1.2.3')).toEqual(['has another description than README.md']);
  });
});

it('without Docker the image is skipped, which is said with the reason', () => {
  expect(buildCliImage('no-such-docker')).toEqual({
    line: 'SKIPPED: the image tollgate/cli is neither built nor checked, since no Docker answers (`no-such-docker` cannot be run)',
    problems: [],
  });
});
