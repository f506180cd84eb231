import { describe } from '@jest/globals';
import { inTurn } from './in-turn.ts';

type Describe = (name: string, suite: () => void) => void;

const { skip } = describe;

/**
 * A suite that takes minutes: skipped on a developer's machine unless asked for; with CI=true it runs, no two at once.
 * `describeSuite` may skip it for another reason.
 */
export const describeOfMinutes = (describeSuite: Describe = describe): Describe =>
  process.env['CI']
    ? (name, suite) => describeSuite(name, inTurn(suite))
    : (name, suite) => skip(`${name} (skipped: it takes minutes; CI=true runs it)`, suite);
