import type { Refusal } from '@tollgate/sdk/calls';

/** The `_meta` entry of a refused call's result: the refusal for programs. */
export const errorMeta = 'tollgate/error';

/**
 * A tool result that an agent can read and act upon, and that a program can tell from a failure of the tool. MCP's revision
 * 2026-07-28 requires `resultType`; clients of older revisions ignore it.
 */
export function toToolResult(refusal: Refusal): Record<string, unknown> {
  const content = [{ type: 'text', text: refusal.detail }];
  return { resultType: 'complete', content, isError: true, _meta: { [errorMeta]: refusal } };
}

export function keyReused(tool: string): Refusal {
  return {
    code: 'idempotency_key_reused',
    detail: `The idempotency key of this call of ${tool} was used with other arguments. Send a new key.`,
  };
}
