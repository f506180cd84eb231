import { AppError, isAppError } from '@tollgate/kernel/app-error';
import type { Attempt } from './attempt.ts';
import { lookAtAttemptLater } from './sql-attempts.ts';
import { CallRefused, isUnanswered, type Movement } from './processor.ts';
import type { ProcessorReach } from './processor-reach.ts';
import type { SettleAttempt, SettleDeps } from './settle-attempt.ts';

export interface LearnDeps extends Pick<SettleDeps, 'database' | 'clock' | 'log'> {
  readonly settle: SettleAttempt;
  readonly reach: ProcessorReach;
}

export const lookAgainMs = 60_000;
/** For what another minute hardly changes, such as a wrong secret. */
const lookLaterMs = 10 * lookAgainMs;

/** Asks the processor and writes the answer down. Returns whether the outcome of the attempt is known now. */
export function createLearnOutcome({ database, clock, log, settle, reach }: LearnDeps) {
  return async function learnOutcome(attempt: Attempt, call: () => Promise<Movement>): Promise<boolean> {
    let movement: Movement | undefined;
    try {
      movement = await call();
      reach.answered();
      if (movement.status !== 'pending') return await settle(attempt.id, movement);
      await postponeLookUp(attempt, { afterMs: lookAgainMs, objectId: movement.objectId });
    } catch (error) {
      if (movement === undefined && isUnanswered(error)) reach.unanswered();
      const { level, message, afterMs } = failureOf(error, movement);
      log[level]({ attempt: attempt.id, kind: attempt.kind, outcome: movement?.status, err: error }, message);
      await postponeLookUp(attempt, { afterMs }); // whatever the error, it must not hold up other attempts
    }
    return false;
  };

  async function postponeLookUp({ id }: Attempt, { afterMs, objectId }: LookUp): Promise<void> {
    const lookAtMs = clock.now() + afterMs;
    await lookAtAttemptLater(database, id, { lookAtMs, ...(objectId !== undefined && { objectId }) });
  }
}

interface LookUp {
  readonly afterMs: number;
  readonly objectId?: string | undefined;
}

/** The log line of a failure, which says what is certain, and the time until the next look. */
function failureOf(error: unknown, movement: Movement | undefined) {
  if (movement !== undefined) return { level: 'error', message: notWrittenMessage, afterMs: lookAgainMs } as const;
  if (isUnanswered(error)) return { level: 'warn', message: unknownMessage, afterMs: lookAgainMs } as const;
  const isCertain = error instanceof CallRefused || isAppError(error, 'not_found') || isKeyReused(error);
  if (isCertain) return { level: 'error', message: refusedMessage, afterMs: lookLaterMs } as const;
  return { level: 'error', message: unknownMessage, afterMs: lookAgainMs } as const;
}

function isKeyReused(error: unknown): boolean {
  return error instanceof AppError && error.code === 'idempotency_key_reused';
}

const unknownMessage = 'the outcome at the processor is unknown; it will be looked up';
const refusedMessage = 'the processor refuses the call, and no money moved; it is repeated every 10 minutes';
const notWrittenMessage = 'the outcome is known but could not be stored; it will be looked up again';
