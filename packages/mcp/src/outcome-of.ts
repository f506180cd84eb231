import { asObject, type JsonRpcMessage } from './json-rpc.ts';

/**
 * What a response says of the call: it succeeded, it failed, or the tool never ran. A call that never ran is not
 * metered, and its authorization is released.
 */
export type Outcome = 'success' | 'failure' | 'not_run';

/** JSON-RPC: method not found, invalid params. MCP servers answer so before a tool runs. */
const refusedBeforeRunning = new Set([-32_601, -32_602]);

/** How both generations of the MCP SDK begin the text of a result whose arguments did not fit the tool's schema. */
const invalidArguments = /^(MCP error -32602: )?Input validation error: Invalid arguments for tool /;

/** How the first generation answers a call of a tool that it does not have: as a result, not as an error. */
const unknownTool = /^MCP error -32602: Tool \S+ (not found|disabled)$/;

export function outcomeOf(response: JsonRpcMessage): Outcome {
  if (response.error !== undefined) return refusedBeforeRunning.has(response.error.code) ? 'not_run' : 'failure';
  const result = response.result ?? {};
  // The server asks for more input; the client sends the whole call again with it.
  if (result['resultType'] === 'input_required') return 'not_run';
  if (result['isError'] !== true) return 'success';
  const text = firstText(result['content']);
  return invalidArguments.test(text) || unknownTool.test(text) ? 'not_run' : 'failure';
}

function firstText(content: unknown): string {
  const text = Array.isArray(content) ? asObject(content[0])['text'] : undefined;
  return typeof text === 'string' ? text : '';
}
