export interface ServerSettings {
  /** The address of Tollgate. */
  readonly url: string;
  readonly key: string;
  readonly slug: string;
  /** The address on which the proxy listens, without a scheme. */
  readonly listen: string;
  /** The command that starts the MCP server over standard input and output. */
  readonly command: string;
}

/** Writes the lines that serve a tool: the proxy before a server that nobody changes. */
export function serverLines({ url, key, slug, listen, command }: ServerSettings): string {
  return [
    `export TOLLGATE_URL=${quote(url)}`,
    `export TOLLGATE_API_KEY=${quote(key)}`,
    `npx tollgate mcp-proxy --listen ${quote(listen)} --tool ${quote(slug)} --gate -- ${command}`,
  ].join('\n');
}

/** Quotes a word for the shell where it needs it. */
function quote(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
