import type { Tollgate } from '@tollgate/sdk';

import { isRequest, readToolCall, type JsonRpcMessage } from '../json-rpc.ts';
import { createFindMissingScope, isOfResource } from '../missing-scope.ts';
import type { ProtectedResource } from '../protected-resource.ts';
import type { Caller } from './caller.ts';
import type { PassCheck } from './pass-check.ts';
import type { MessageRefusal } from './read-messages.ts';

export interface AdmitCallDeps {
  readonly tollgate: Tollgate;
  readonly passCheck: PassCheck;
  /** The slug of a tool; undefined for one that is free. */
  readonly toolOf: (name: string) => string | undefined;
  readonly resource: ProtectedResource | undefined;
  readonly nowMs: () => number;
  readonly onError: (error: unknown) => void;
}

/** A pass that its owner has changed is felt within a second. */
const freshMs = 1_000;

export type AdmitCall = (
  messages: readonly JsonRpcMessage[],
  caller: Caller | undefined,
) => Promise<MessageRefusal | undefined>;

/**
 * Answers 403 to the call of a tool that the pass of a token lacks, before the server sees it: so a client can ask its person for
 * the tool. Whatever else is wrong with a call is for its metering to say, and a cap that is reached is never 403.
 */
export function createAdmitCall(deps: AdmitCallDeps): AdmitCall {
  const { tollgate, passCheck, toolOf, resource, nowMs, onError } = deps;
  const findMissingScope = createFindMissingScope(nowMs);

  return async function admitCall(messages, caller) {
    const called = messages.length === 1 ? calledTool(messages[0]) : undefined;
    if (resource === undefined || caller === undefined || called === undefined || caller.isKey) return undefined;
    const scope = await scopeFor(caller, called.tool, resource.resource).catch(onError);
    if (typeof scope !== 'string') return undefined;
    return {
      status: 403,
      id: called.id,
      error: { code: -32_000 },
      message: `This token does not allow the tool ${called.name}: ask for the scopes that the challenge names.`,
      headers: { 'www-authenticate': resource.challenge('insufficient_scope', scope) },
    };
  };

  function calledTool(message: JsonRpcMessage | undefined) {
    const call = message && isRequest(message, 'tools/call') ? readToolCall(message.params) : undefined;
    const tool = call && toolOf(call.name);
    return tool === undefined ? undefined : { id: message?.id, name: call?.name, tool };
  }

  /** No consent gives a tool that is not of this server. */
  async function scopeFor({ bearer }: Caller, tool: string, resourceUrl: string): Promise<string | undefined> {
    const pass = await passCheck.find(bearer, freshMs);
    if (pass === undefined || pass.tools === '*' || pass.tools.includes(tool)) return undefined;
    return (await isOfResource(tollgate, tool, resourceUrl)) ? findMissingScope(pass, tool) : undefined;
  }
}
