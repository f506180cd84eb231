import { canonicalJson } from '../canonical-json.ts';
import type { Continuation } from '../json-rpc.ts';
import { nameOfPayer } from '../payer.ts';
import type { NamedCall } from '../undelivered/name-call.ts';
import type { Seal } from '../undelivered/seal.ts';

/** The purpose of the secret: the builder's API key has others. */
export const approvalsPurpose = 'tollgate/mcp: approvals';

/** The state that a client brings back with a call whose approval it was sent for. */
export interface ApprovalState {
  readonly approvalId: string;
  /** Epoch ms. */
  readonly expiresAtMs: number;
  /** How often the client was sent. */
  readonly rounds: number;
  /** The input that the call brought for the tool. */
  readonly continuation?: Continuation | undefined;
}

export interface ApprovalStates {
  /** Whether a `requestState` is of this kind: the server has others. */
  isOurs(text: unknown): text is string;
  close(call: NamedCall, state: ApprovalState): Promise<string>;
  /** Undefined: it was not made by us, for this payer and this call, or it has expired. */
  open(call: NamedCall, text: string, nowMs: number): Promise<ApprovalState | undefined>;
}

const prefix = 'tollgate-approval.';

/** Sealed for one payer and one call: what a client brings with another one is nothing. */
export function createApprovalStates(seal: Promise<Seal>): ApprovalStates {
  return {
    isOurs: (text): text is string => typeof text === 'string' && text.startsWith(prefix),
    async close(call, state) {
      const sealed = (await seal).close(await nameOf(call), JSON.stringify(state));
      return prefix + Buffer.from(sealed).toString('base64url');
    },
    async open(call, text, nowMs) {
      const sealed = Buffer.from(text.slice(prefix.length), 'base64url');
      const shown = (await seal).open(await nameOf(call), sealed);
      const state = shown === undefined ? undefined : (JSON.parse(shown) as ApprovalState); // as `close` wrote it
      return state !== undefined && nowMs < state.expiresAtMs ? state : undefined;
    },
  };

  async function nameOf({ call, ...payers }: NamedCall): Promise<string> {
    const payer = nameOfPayer(payers) ?? '';
    return (await seal).nameOf(canonicalJson([payer, call.name, call.arguments]));
  }
}
