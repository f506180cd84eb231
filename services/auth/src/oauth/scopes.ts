/** Spending what the consent allows. A request that names no scope asks for it. */
export const spendScope = 'tollgate:spend';

const toolPrefix = 'tollgate:tool:';

export function toolScope(toolId: string): string {
  return `${toolPrefix}${toolId}`;
}

/** The tools that a scope names. */
export function toolsOfScope(scope: string | undefined): readonly string[] {
  const tools = (scope ?? '').split(' ').filter((name) => name.startsWith(toolPrefix));
  return tools.map((name) => name.slice(toolPrefix.length));
}

/**
 * The scope of a request to the authorization server: spending always, tools as they are asked for. Clients also ask for what
 * other servers have (`openid`, `offline_access`, `profile`), and a request is not worse for it.
 */
export function toKnownScope(asked: string | undefined): string {
  return [...new Set([spendScope, ...toolsOfScope(asked).map(toolScope)])].join(' ');
}
