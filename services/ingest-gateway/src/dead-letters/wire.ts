import { createDeadLetterHandlers } from './dead-letter-handlers.ts';
import { createReplayDeadLetter, type ReplayDeadLetterDeps } from './replay-dead-letter.ts';

export function wireDeadLetters(deps: ReplayDeadLetterDeps): ReturnType<typeof createDeadLetterHandlers> {
  return createDeadLetterHandlers({ worker: deps.worker, replayDeadLetter: createReplayDeadLetter(deps) });
}
