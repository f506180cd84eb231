/** How a package answers a call that it did not run: as a result that is an error, with nothing but a text to tell it by. */
export interface RefusalText {
  readonly package: string;
  /** With which it was tried. */
  readonly version: string;
  readonly says: 'unknown tool' | 'unfit arguments';
  readonly text: RegExp;
}

/** The last resort, where a server's list of tools cannot be read or says less than the server checks. */
export const refusalTexts: readonly RefusalText[] = [
  {
    package: '@modelcontextprotocol/sdk',
    version: '1.32.2',
    says: 'unknown tool',
    text: /^MCP error -32602: Tool \S+ (not found|disabled)$/,
  },
  {
    package: '@modelcontextprotocol/sdk',
    version: '1.32.2',
    says: 'unfit arguments',
    text: /^MCP error -32602: Input validation error: Invalid arguments for tool /,
  },
  {
    package: '@modelcontextprotocol/server',
    version: '2.4.0',
    says: 'unfit arguments',
    text: /^Input validation error: Invalid arguments for tool /,
  },
  { package: 'mcp', version: '1.30.0', says: 'unknown tool', text: /^Unknown tool: \S+$/ },
  {
    package: 'mcp',
    version: '1.30.0',
    says: 'unfit arguments',
    text: /^Error executing tool \S+: \d+ validation errors? for \S+Arguments\n/,
  },
  // A server by the lower of its two interfaces compares arguments with the schema more strictly than others do.
  { package: 'mcp', version: '1.30.0', says: 'unfit arguments', text: /^Input validation error: / },
  { package: 'mcp', version: '2.3.0', says: 'unknown tool', text: /^Unknown tool: \S+$/ },
  {
    package: 'mcp',
    version: '2.3.0',
    says: 'unfit arguments',
    text: /^Error executing tool \S+: \d+ validation errors? for \S+Arguments\n/,
  },
  { package: 'fastmcp', version: '4.2.3', says: 'unknown tool', text: /^Unknown tool: '\S+'$/ },
  { package: 'fastmcp', version: '4.2.3', says: 'unfit arguments', text: /^\d+ validation errors? for call\[\S+\]\n/ },
];
