/** The part of the process that this module needs; some platforms have no process. */
interface Platform {
  readonly process?: { readonly stdin?: unknown; readonly env?: Readonly<Record<string, string | undefined>> };
}

/**
 * The key of the caller who started this process and speaks to it over its standard input: `TOLLGATE_KEY`. Undefined for
 * every other transport, whose callers this process may not charge to its own key.
 */
export function stdioKey(transport: object): string | undefined {
  const { process } = globalThis as Platform;
  const stdin = stdinOf(transport);
  if (stdin === undefined || stdin !== process?.stdin) return undefined;
  return process.env?.['TOLLGATE_KEY'] || undefined; // an empty variable is none
}

/**
 * Both generations of the MCP SDK keep the stream in `_stdin`. A server that `serveStdio` of the second one made is connected
 * to a channel, which has the transport itself in `_wire`.
 */
function stdinOf(transport: object): unknown {
  if ('_stdin' in transport) return transport._stdin;
  const wire = '_wire' in transport ? transport._wire : undefined;
  return typeof wire === 'object' && wire !== null ? stdinOf(wire) : undefined;
}
