import type { UsageEventRecord } from '@tollgate/contracts/event-record';
import type { AppError } from '@tollgate/kernel/app-error';
import { toIso } from '@tollgate/kernel/clock';
import { minuteMs } from '@tollgate/kernel/durations';
import { uuidV8 } from '@tollgate/kernel/uuid';
import type { Pass } from '../../passes/pass.ts';
import type { Outcome } from '../../submissions/outcome.ts';
import type { Submission } from '../../submissions/submission.ts';
import { priceAt, type Tool } from '../../tools/tool.ts';
import { accountCaps, passCaps } from '../caps/account-caps.ts';
import { boundCall } from './bound-call.ts';
import type { BalanceCaps } from '../caps/balance-caps.ts';
import type { BudgetDirectory } from '../caps/budget-directory.ts';
import type { CaptureDecision } from '../authorizations/capture-holds.ts';
import { askerIdOf } from './find-payer.ts';
import type { Gate, HoldAnswer, Unavailable } from '../gate.ts';
import type { Hold, HoldWish } from '../authorizations/hold.ts';
import type { PastDueAccounts } from './past-due-accounts.ts';
import { lineKeyAt, wishOfLines } from '../settling/lines.ts';
import { quantitiesOf } from './quantities.ts';
import {
  authorizationExceeded,
  authorizationNotFound,
  authorizationNotOpen,
  captureConflict,
  callTooDear,
  captureUnknown,
  noSuchCall,
  pastDue,
  refuseDearCall,
  spendingCapReached,
} from './refusals.ts';

/** An event that was decided on, and would go into the log. */
export interface AdmissibleEvent {
  readonly submission: Submission;
  readonly tool: Tool;
  readonly record: UsageEventRecord;
  onAdmitted(record: UsageEventRecord): void;
  onRefused(outcome: Extract<Outcome, { kind: 'rejected' | 'unknown' }>): void;
}

export interface CapKnowledge {
  readonly budgets: Pick<BudgetDirectory, 'of'>;
  readonly balances: Pick<BalanceCaps, 'of'>;
  readonly pastDueAccounts: Pick<PastDueAccounts, 'has'>;
}

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

/** A client repeats an event within this time; then its money may be free again. */
const eventHoldMs = minuteMs / 2;

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
    const wish = toWish(event, knowledge);
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
      else event.onRefused(refusalOf(held, event.submission.pass));
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

function toWish(
  { submission, tool, record }: AdmissibleEvent,
  { budgets, balances, pastDueAccounts }: CapKnowledge,
): HoldWish {
  const { consumerId, pass, eventId, event, bodyHash, receivedAtMs } = submission;
  const atMs = Date.parse(record.occurred_at);
  const max = quantitiesOf(event, tool, atMs);
  const between = { fromMs: atMs, toMs: receivedAtMs };
  const call = { consumerId, max, success: event.success, fromMs: atMs, toMs: atMs };
  const bound = boundCall(tool, call);
  const caps = [
    ...accountCaps(budgets.of(consumerId), between),
    ...passCaps(pass, between),
    ...balances.of(consumerId),
  ];
  return {
    holdId: eventId,
    accountId: consumerId,
    askerId: askerIdOf({ accountId: consumerId, pass }),
    passId: pass?.passId ?? null,
    toolId: tool.toolId,
    priceId: priceAt(tool, atMs)?.priceId ?? eventId,
    eventId,
    max,
    callCount: 1,
    micros: bound,
    caps,
    between,
    ...wishOfLines({ tool, call: { ...call, kind: 'known' }, eachMicros: bound, caps, pass }),
    isPastDue: pastDueAccounts.has(consumerId),
    state: 'captured',
    bodyHash,
    askedAtMs: receivedAtMs,
    expiresAtMs: receivedAtMs + eventHoldMs,
  };
}

function hasNoLimit({ cap, perCallMaxMicros }: Pass): boolean {
  return cap === undefined && perCallMaxMicros === undefined;
}

type Repeated = { readonly kind: 'captured'; readonly hold: Hold } | { readonly kind: 'conflict' | 'unknown' };

function repeatedHold(hold: Hold, { wish, receivedAtMs }: { wish: HoldWish; receivedAtMs: number }): Repeated {
  if (hold.bodyHash !== wish.bodyHash) return { kind: 'conflict' };
  return hold.state === 'captured' && receivedAtMs < hold.expiresAtMs
    ? { kind: 'captured', hold }
    : { kind: 'unknown' };
}

type Refusal = Extract<Outcome, { kind: 'rejected' | 'unknown' }>;

function refusalOf(
  answer:
    | Extract<HoldAnswer, { kind: 'no_room' | 'dear' | 'past_due' | 'unavailable' }>
    | { readonly kind: 'conflict' | 'unknown' },
  pass: Pass | undefined,
): Refusal {
  const isPayer = pass === undefined;
  switch (answer.kind) {
    case 'no_room':
      return rejected(spendingCapReached({ ...answer, isPayer }));
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

function captureRefusal(
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

function rejected(error: AppError): Refusal {
  return { kind: 'rejected', error };
}

function withHold(record: UsageEventRecord, expiresAtMs: number): UsageEventRecord {
  return { ...record, hold_expires_at: toIso(expiresAtMs) };
}

/** An authorized call never happened before it was authorized: other prices, and another window, may have been in force. */
function occurredAtMsOf({ askedAtMs }: Hold, { record }: AdmissibleEvent): number {
  return Math.max(Date.parse(record.occurred_at), askedAtMs);
}

/** The authorization says who pays and with which pass, and makes the key of an event that has none. */
function toCapturedRecord(event: AdmissibleEvent, hold: Hold): UsageEventRecord {
  const { record, submission } = event;
  const occurredAtMs = occurredAtMsOf(hold, event);
  return {
    ...withHold(record, hold.expiresAtMs),
    consumer_id: hold.accountId,
    pass_id: hold.passId ?? undefined,
    occurred_at: toIso(occurredAtMs),
    // The authorizing gateway's clock may be ahead of ours.
    received_at: toIso(Math.max(submission.receivedAtMs, occurredAtMs)),
    idempotency_key: record.idempotency_key ?? keyOf(hold, submission.event.call_index),
  };
}

function keyOf({ holdId }: Hold, callIndex: number | undefined): string {
  return callIndex === undefined ? holdId : uuidV8('call', holdId, String(callIndex));
}
