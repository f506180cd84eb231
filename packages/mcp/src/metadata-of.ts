import type { CallMetadata } from '@tollgate/sdk/calls';

import type { JsonRpcMessage, ToolCall } from './json-rpc.ts';

/** The metadata of a call's event, by what `response` says. Undefined where that is not known. */
export type MetadataOf = (call: ToolCall, response: JsonRpcMessage | undefined) => CallMetadata | undefined;

/** Picks what of a call becomes metadata of its event. */
export type PickMetadata = (call: ToolCall, response: JsonRpcMessage) => CallMetadata | undefined;

/** The call ran, so it is recorded even if the author's function throws. */
export function createMetadataOf(pick: PickMetadata | undefined, onError: (error: unknown) => void): MetadataOf {
  return function metadataOf(call, response) {
    try {
      return response === undefined ? undefined : pick?.(call, response);
    } catch (error) {
      onError(error);
      return undefined;
    }
  };
}
