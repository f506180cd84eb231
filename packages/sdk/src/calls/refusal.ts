import { TollgateError } from '../client/error.ts';

/** Why a call was refused before it ran. */
export interface Refusal {
  /** Stable: program against this. */
  readonly code: string;
  /** A sentence that says what to do, for people and for agents. */
  readonly detail: string;
  /** The way in which the owner of the pass can let the call through. */
  readonly approval?: ApprovalLink;
}

/** An approval that waits for the owner of the pass. */
export type ApprovalLink = NonNullable<TollgateError['approval']>;

export function keyMissing(tool: string): Refusal {
  return {
    code: 'payment_required',
    detail: `The tool ${tool} is paid per call, and this call has no payer. Send a Tollgate pass with it.`,
  };
}

export const passRefused: Refusal = {
  code: 'pass_refused',
  detail: 'This key is no live pass: it is unknown, revoked, paused or expired. Ask its owner for another one.',
};

export function toolNotAllowed(tool: string): Refusal {
  const detail = `This key does not allow the tool ${tool}. Its owner can add the tool.`;
  return { code: 'tool_not_allowed', detail };
}

export function unavailable(tool: string): Refusal {
  return {
    code: 'gate_unavailable',
    detail: `Tollgate could not be asked whether this call of ${tool} may be charged. Nothing was charged. Try again later.`,
  };
}

/** No other call would fare better, so nobody is told to try again. */
export function misconfigured(tool: string): Refusal {
  return {
    code: 'tool_misconfigured',
    detail: `The tool ${tool} cannot be charged for, since its builder has set it up wrong. Nothing was charged. Only its builder can fix this: do not try again.`,
  };
}

/** The tool that was asked for, and the side whose credential asked for it. */
export interface Asked {
  /** The name by which the caller knows the tool. */
  readonly tool: string;
  readonly credentialOf: 'builder' | 'caller';
}

const buildersCodes: ReadonlySet<string> = new Set(['tool_not_found', 'tool_archived', 'invalid_request']);
const credentialCodes: ReadonlySet<string> = new Set([
  'unauthenticated',
  'forbidden',
  'events_scope_missing',
  'read_scope_missing',
  'no_api_key',
]);

/**
 * The refusal in an answer of Tollgate: it says no, or the builder's own settings are wrong. Undefined for every other
 * error: then nobody knows whether the call may go through.
 */
export function readRefusal(error: unknown, { tool, credentialOf }: Asked): Refusal | undefined {
  if (!(error instanceof TollgateError)) return undefined;
  if (buildersCodes.has(error.code)) return misconfigured(tool);
  if (error.status === 401 || credentialCodes.has(error.code))
    return credentialOf === 'builder' ? misconfigured(tool) : passRefused;
  if (error.status !== 402 && error.status !== 403) return undefined;
  const { code, approval } = error;
  return { code, detail: sentence(error, tool) + wayToApprove(approval), ...(approval && { approval }) };
}

function wayToApprove(approval: ApprovalLink | undefined): string {
  if (approval === undefined) return '';
  return ` Its owner can approve this call until ${approval.expires_at} at ${approval.url} ; then call again.`;
}

function sentence({ code, resetsAt }: TollgateError, tool: string): string {
  switch (code) {
    case 'spending_cap_reached':
      return resetsAt == null
        ? `A spending limit of this key has no room for a call of ${tool}. Its owner can raise it.`
        : `A spending limit of this key has no room for a call of ${tool}. It resets at ${resetsAt}; its owner can raise it.`;
    case 'approval_required':
      return `A call of ${tool} that may cost so much needs the approval of the owner of this key.`;
    case 'payment_required':
      return `The account of this key has to pay what it owes, or to set up a payment method, before a call of ${tool}.`;
    case 'pass_refused':
      return passRefused.detail;
    case 'tool_not_allowed':
      return toolNotAllowed(tool).detail;
    case 'account_suspended':
      return 'The account of this key is suspended. Its owner has to ask the operator.';
    default:
      return `The call of ${tool} was refused: ${code}.`;
  }
}
