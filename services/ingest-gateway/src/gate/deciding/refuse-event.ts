import type { AppError } from '@tollgate/kernel/app-error';
import type { Pass } from '../../passes/pass.ts';
import type { CaptureDecision } from '../authorizations/capture-holds.ts';
import type { HoldAnswer, Unavailable } from '../gate.ts';
import type { Refusal } from './admissible-event.ts';
import {
  authorizationExceeded,
  authorizationNotFound,
  authorizationNotOpen,
  callTooDear,
  captureConflict,
  captureUnknown,
  noSuchCall,
  pastDue,
  spendingCapReached,
} from './refusals.ts';

export function holdRefusal(
  answer:
    | Extract<HoldAnswer, { kind: 'no_room' | 'unapproved' | 'dear' | 'past_due' | 'unavailable' }>
    | { readonly kind: 'conflict' | 'unknown' },
  pass: Pass | undefined,
): Refusal {
  const isPayer = pass === undefined;
  switch (answer.kind) {
    case 'no_room':
      return rejected(spendingCapReached({ ...answer, isPayer }));
    case 'unapproved':
      throw new Error('an event needs no approval');
    case 'dear':
      return rejected(callTooDear({ ...answer, maxMicros: pass?.perCallMaxMicros, isPayer }));
    case 'past_due':
      return rejected(pastDue(isPayer));
    case 'unavailable':
      return { kind: 'unknown', error: answer.error };
    case 'conflict':
      return rejected(captureConflict());
    case 'unknown':
      return { kind: 'unknown', error: captureUnknown() };
  }
}

export function captureRefusal(
  decision: Exclude<CaptureDecision, { kind: 'captured' }> | Unavailable,
  receivedAtMs: number,
): Refusal {
  switch (decision.kind) {
    case 'absent':
      return rejected(authorizationNotFound());
    case 'no_call':
      return rejected(noSuchCall(decision.hold));
    case 'exceeded':
      return rejected(authorizationExceeded());
    case 'conflict':
      return rejected(captureConflict());
    case 'not_open':
      return rejected(authorizationNotOpen(receivedAtMs));
    case 'unknown':
      return { kind: 'unknown', error: captureUnknown() };
    case 'unavailable':
      return { kind: 'unknown', error: decision.error };
  }
}

export function rejected(error: AppError): Refusal {
  return { kind: 'rejected', error };
}
