import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { repository } from './faults/repository.ts';
import { imageStart } from './service-process.ts';

describe('imageStart', () => {
  it('is how the Dockerfile starts a service', () => {
    const dockerfile = readFileSync(join(repository, 'deploy/docker/Dockerfile'), 'utf8');
    const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(dockerfile) ?? [];
    expect(JSON.parse(command)).toEqual(['node', ...imageStart.flags, 'dist/bundle/main.js']);
    expect(dockerfile.split(/\s+/)).toContain(`NODE_OPTIONS=${imageStart.nodeOptions}`);
  });
});
