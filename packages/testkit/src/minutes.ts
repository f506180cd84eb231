import { describe } from '@jest/globals';

const { skip } = describe;

/** A suite that takes minutes: skipped on a developer's machine unless asked for; with CI=true it runs. */
export const describeOfMinutes: (name: string, suite: () => void) => void = process.env['CI']
  ? describe
  : (name, suite) => skip(`${name} (skipped: it takes minutes; CI=true runs it)`, suite);
