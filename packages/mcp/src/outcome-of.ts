import type { FoundTool } from './find-tool.ts';
import { isUnfit } from './is-unfit.ts';
import { asObject, type JsonRpcMessage, type ToolCall } from './json-rpc.ts';
import { refusalTexts } from './refusal-texts.ts';

/**
 * The outcome of a call, by its response: it succeeded, it failed, or the tool never ran. A call that never ran is not
 * metered, and its authorization is released.
 */
export type Outcome = 'success' | 'failure' | 'not_run';

/** JSON-RPC: method not found, invalid params. MCP servers answer so before a tool runs; in some a tool may raise it, too. */
const refusedBeforeRunning = new Set([-32_601, -32_602]);

/**
 * MCP: headers that differ from the body, a capability that the client lacks, a version that the server does not speak, and
 * an address that its user must visit first. Each asks for something before the tool can do its work.
 */
const ranNothing = new Set([-32_020, -32_021, -32_022, -32_042]);

/** Whether the response leaves open if the tool ran, so that the server's list of tools has to say it. */
export function isRefusalOrFailure({ error, result }: JsonRpcMessage): boolean {
  return error === undefined ? result?.['isError'] === true : refusedBeforeRunning.has(error.code);
}

export function outcomeOf(response: JsonRpcMessage, call: ToolCall, tool: FoundTool): Outcome {
  if (isRefusalOrFailure(response)) return hasRun(response, call, tool) ? 'failure' : 'not_run';
  if (response.error !== undefined) return ranNothing.has(response.error.code) ? 'not_run' : 'failure';
  // The server asks for more input; the client sends the whole call again with it.
  return response.result?.['resultType'] === 'input_required' ? 'not_run' : 'success';
}

function hasRun({ error, result = {} }: JsonRpcMessage, call: ToolCall, tool: FoundTool): boolean {
  if (tool === 'unlisted' || (tool !== undefined && isUnfit(tool['inputSchema'], call.arguments))) return false;
  if (error !== undefined) return tool !== undefined;
  const text = firstText(result['content']);
  return !refusalTexts.some((refusal) => refusal.text.test(text));
}

function firstText(content: unknown): string {
  const text = Array.isArray(content) ? asObject(content[0])['text'] : undefined;
  return typeof text === 'string' ? text : '';
}
