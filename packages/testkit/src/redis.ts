import { spawnSync } from 'node:child_process';
import { describe } from '@jest/globals';

const { skip } = describe;
const hasServer = spawnSync('redis-server', ['--version']).status === 0;

/** A suite that needs Redis: skipped where none can be started, which fails the run with CI=true. */
export const describeWithRedis: (name: string, suite: () => void) => void = hasServer
  ? describe
  : (name, suite) => skip(`${name} (skipped: there is no redis-server in the PATH)`, suite);
