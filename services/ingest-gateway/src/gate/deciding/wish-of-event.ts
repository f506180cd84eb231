import { minuteMs } from '@tollgate/kernel/durations';
import { ancestorIdsOf } from '../../passes/pass.ts';
import { priceAt } from '../../tools/tool.ts';
import type { HoldWish } from '../authorizations/hold.ts';
import { accountCaps, passCaps } from '../caps/account-caps.ts';
import type { BalanceCaps } from '../caps/balance-caps.ts';
import type { BudgetDirectory } from '../caps/budget-directory.ts';
import { wishOfLines } from '../settling/lines.ts';
import type { AdmissibleEvent } from './admissible-event.ts';
import { boundCall } from './bound-call.ts';
import { askerIdOf } from './find-payer.ts';
import type { PastDueAccounts } from './past-due-accounts.ts';
import { quantitiesOf } from './quantities.ts';

export interface CapKnowledge {
  readonly budgets: Pick<BudgetDirectory, 'of'>;
  readonly balances: Pick<BalanceCaps, 'of'>;
  readonly pastDueAccounts: Pick<PastDueAccounts, 'has'>;
}

/** A client repeats an event within this time; then its money may be free again. */
const eventHoldMs = minuteMs / 2;

/** Returns the wish of an event without an authorization: to be held and captured at once. */
export function wishOfEvent(
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
    ancestorIds: ancestorIdsOf(pass),
    toolId: tool.toolId,
    priceId: priceAt(tool, atMs)?.priceId ?? eventId,
    eventId,
    max,
    callCount: 1,
    micros: bound,
    caps,
    between,
    ...wishOfLines({ tool, call: { ...call, kind: 'known' }, eachMicros: bound, caps, pass }),
    approveAboveMicros: undefined, // it has happened: nobody can be asked before it
    isPastDue: pastDueAccounts.has(consumerId),
    state: 'captured',
    bodyHash,
    askedAtMs: receivedAtMs,
    expiresAtMs: receivedAtMs + eventHoldMs,
    reference: null,
  };
}
