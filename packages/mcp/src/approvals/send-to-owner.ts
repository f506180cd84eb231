import type { PaidCall, Refusal } from '@tollgate/sdk/calls';

import { asObject, toError, toResult, type JsonRpcMessage } from '../json-rpc.ts';
import type { Incoming } from '../incoming.ts';
import type { ApprovalState, ApprovalStates } from './approval-states.ts';

/** A call that its client was sent for to the owner of the pass. */
export interface Returned extends ApprovalState {
  /** The client says that its user has been there. That proves nothing. */
  readonly isAccepted: boolean;
}

export interface Unwrapped {
  /** As it was before its client was sent: the tool never sees what is ours. */
  readonly incoming: Incoming;
  readonly returned: Returned | undefined;
}

type Begun = PaidCall | { readonly refusal: Refusal };

export interface SendToOwner {
  unwrap(incoming: Incoming): Promise<Unwrapped>;
  /** Asks Tollgate. If the client has been at the owner's, it asks again for a while: people click after they return. */
  begin(ask: () => Promise<Begun>, unwrapped: Unwrapped): Promise<Begun>;
  /** The answer by which the client sends its user to the owner's page. Undefined: it gets the refusal. */
  answer(refusal: Refusal, unwrapped: Unwrapped): Promise<JsonRpcMessage | undefined>;
}

interface Deps {
  readonly states: ApprovalStates;
  readonly nowMs: () => number;
  /** The pauses between asks for a call whose client has been at the owner's. */
  readonly pausesMs?: readonly number[];
}

const urlElicitationRequired = -32_042;
const inputName = 'tollgate_approval';
/** Together with each ask's own time it is less than clients wait. */
const defaultPausesMs = [5_000, 15_000];
const roundsMax = 3;

export function createSendToOwner({ states, nowMs, pausesMs = defaultPausesMs }: Deps): SendToOwner {
  return {
    async unwrap(incoming) {
      const { requestState, inputResponses } = incoming.continuation ?? {};
      if (!states.isOurs(requestState)) return { incoming, returned: undefined };
      const state = await states.open(incoming, requestState, nowMs());
      const isAccepted = asObject(asObject(inputResponses)[inputName])['action'] === 'accept';
      const continuation = state?.continuation;
      const run = () => incoming.run({ continuation });
      return { incoming: { ...incoming, continuation, run }, returned: state && { ...state, isAccepted } };
    },
    async begin(ask, { incoming, returned }) {
      let begun = await ask();
      for (const pauseMs of returned?.isAccepted === true ? pausesMs : []) {
        const isWaiting = 'refusal' in begun && begun.refusal.approval?.id === returned?.approvalId;
        if (!isWaiting || incoming.isCancelled()) break;
        await pause(pauseMs);
        begun = await ask();
      }
      return begun;
    },
    async answer({ approval, detail: message }, { incoming, returned }) {
      const { elicits } = incoming;
      if (approval === undefined || elicits === undefined) return undefined;
      if (returned !== undefined && (!returned.isAccepted || returned.rounds >= roundsMax)) return undefined;
      const params = { mode: 'url', message, url: approval.url };
      if (elicits === 'by_error') {
        const elicitations = [{ ...params, elicitationId: approval.id }];
        return toError({ code: urlElicitationRequired, message, data: { elicitations } });
      }
      const requestState = await states.close(incoming, {
        approvalId: approval.id,
        expiresAtMs: Date.parse(approval.expires_at),
        rounds: (returned?.rounds ?? 0) + 1,
        continuation: incoming.continuation,
      });
      const inputRequests = { [inputName]: { method: 'elicitation/create', params } };
      return toResult({ resultType: 'input_required', inputRequests, requestState });
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
