import { lineKeyAt } from '../settling/lines.ts';
import type { Hold, HoldWish } from '../authorizations/hold.ts';
import type { Pass } from '../../passes/pass.ts';
import type { Submission } from '../../submissions/submission.ts';
import type { Gate } from '../gate.ts';
import type { AdmissibleEvent } from './admissible-event.ts';
import { boundCall } from './bound-call.ts';
import { occurredAtMsOf, toCapturedRecord, withHold } from './captured-record.ts';
import { askerIdOf } from './find-payer.ts';
import { quantitiesOf } from './quantities.ts';
import { captureRefusal, holdRefusal, rejected } from './refuse-event.ts';
import { refuseDearCall } from './refusals.ts';
import { wishOfEvent, type CapKnowledge } from './wish-of-event.ts';

export interface AdmitEventDeps extends CapKnowledge {
  readonly gate: Gate;
  readonly isUncapped: IsUncapped;
}

/** Whether the event captures nothing, and neither its account nor its pass has a limit. */
export type IsUncapped = (submission: Submission) => boolean;

export function createIsUncapped({ budgets, balances, pastDueAccounts }: CapKnowledge): IsUncapped {
  return function isUncapped({ consumerId, pass, event }) {
    if (event.authorization_id !== undefined || (pass !== undefined && !hasNoLimit(pass))) return false;
    const hasCap = budgets.of(consumerId) !== undefined || balances.of(consumerId).length > 0;
    return !hasCap && !pastDueAccounts.has(consumerId);
  };
}

/** Returns whether the gate decides about this event. If not, nothing stands in its way. */
export type AdmitEvent = (event: AdmissibleEvent) => boolean;

export function createAdmitEvent({ gate, isUncapped, ...knowledge }: AdmitEventDeps): AdmitEvent {
  return function admitEvent(event) {
    const { event: input } = event.submission;
    if (isUncapped(event.submission)) return false;
    if (input.authorization_id === undefined) return takeAtOnce(event);
    capture(event, input.authorization_id);
    return true;
  };

  /** Authorizes and captures in one. False: it fits, and no cap is to be asked. */
  function takeAtOnce(event: AdmissibleEvent): boolean {
    const wish = wishOfEvent(event, knowledge);
    const { pass } = event.submission;
    const refusal = wish.lines === undefined ? refuseDearCall(pass, wish.micros, pass === undefined) : undefined;
    if (refusal !== undefined) event.onRefused(rejected(refusal));
    else if (wish.caps.length === 0 && !wish.isPastDue && wish.lines === undefined) return false;
    else take(event, wish);
    return true;
  }

  function take(event: AdmissibleEvent, wish: HoldWish): void {
    gate.take(wish, (answer) => {
      const { receivedAtMs } = event.submission;
      const held = answer.kind === 'repeat' ? repeatedHold(answer.hold, { wish, receivedAtMs }) : answer;
      if (held.kind === 'held') event.onAdmitted(withHold(event.record, wish.expiresAtMs));
      else if (held.kind === 'captured') event.onAdmitted(withHold(event.record, held.hold.expiresAtMs));
      else event.onRefused(holdRefusal(held, event.submission.pass));
    });
  }

  function capture(event: AdmissibleEvent, holdId: string): void {
    const { submission, tool, record } = event;
    const { consumerId: accountId, pass, event: input, receivedAtMs, bodyHash = '' } = submission;
    const wish = {
      holdId,
      callIndex: input.call_index,
      eventId: submission.eventId,
      askerId: askerIdOf({ accountId, pass }),
      toolId: tool.toolId,
      bodyHash,
      receivedAtMs,
      quantities: quantitiesOf(input, tool, Date.parse(record.occurred_at)),
      bound: (hold: Hold) => {
        const atMs = occurredAtMsOf(hold, event);
        const max = quantitiesOf(input, tool, atMs);
        return boundCall(tool, { consumerId: hold.accountId, max, success: input.success, fromMs: atMs, toMs: atMs });
      },
      lineKey: (hold: Hold) => lineKeyAt(tool, occurredAtMsOf(hold, event)),
    };
    gate.capture(wish, (decision) => {
      if (decision.kind === 'captured') event.onAdmitted(toCapturedRecord(event, decision.hold));
      else event.onRefused(captureRefusal(decision, receivedAtMs));
    });
  }
}

function hasNoLimit({ cap, perCallMaxMicros, ancestors }: Pass): boolean {
  return cap === undefined && perCallMaxMicros === undefined && ancestors.every((one) => one.cap === undefined);
}

type Repeated = { readonly kind: 'captured'; readonly hold: Hold } | { readonly kind: 'conflict' | 'unknown' };

function repeatedHold(hold: Hold, { wish, receivedAtMs }: { wish: HoldWish; receivedAtMs: number }): Repeated {
  if (hold.bodyHash !== wish.bodyHash) return { kind: 'conflict' };
  return hold.state === 'captured' && receivedAtMs < hold.expiresAtMs
    ? { kind: 'captured', hold }
    : { kind: 'unknown' };
}
