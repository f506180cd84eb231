import { asObject } from '../json-rpc.ts';

/**
 * The way in which a client can be sent to a page: by a result that requires input, since MCP 2026-07-28, or by an error, in
 * 2025-11-25.
 */
export type Elicits = 'by_result' | 'by_error';

const versionMeta = 'io.modelcontextprotocol/protocolVersion';
const capabilitiesMeta = 'io.modelcontextprotocol/clientCapabilities';

export interface Declared {
  /** The `_meta` of a request: since MCP 2026-07-28 each one says who asks. */
  readonly envelope: unknown;
  /** Said by the client when its session began. */
  readonly capabilities: unknown;
}

/** Undefined: the client declared nothing of that, and gets a sentence with the address. */
export function elicitsOf({ envelope, capabilities }: Declared): Elicits | undefined {
  const said = asObject(envelope);
  if (versionMeta in said) return opensPages(said[capabilitiesMeta]) ? 'by_result' : undefined;
  return opensPages(capabilities) ? 'by_error' : undefined;
}

function opensPages(capabilities: unknown): boolean {
  return asObject(asObject(capabilities)['elicitation'])['url'] !== undefined;
}
