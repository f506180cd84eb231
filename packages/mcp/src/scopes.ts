/** The scope by which a client asks for a token that may spend. */
export const spendScope = 'tollgate:spend';

/** The scope by which a client asks for a tool that a challenge named. */
export function toolScope(tool: string): string {
  return `tollgate:tool:${tool}`;
}
