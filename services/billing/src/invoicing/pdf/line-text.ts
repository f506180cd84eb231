/** The texts of one row of an invoice. */
export interface LineText {
  readonly tool: string;
  /** The tool's id, below a name that differs from it. */
  readonly toolDetail: string;
  readonly charge: string;
  /** Distinguishes the line from another one of the same tool and charge. */
  readonly details: readonly string[];
  readonly quantity: string;
  readonly amount: string;
}

/** Names a tool as it was called when the invoice was issued. */
export function nameTool(toolId: string, names: ReadonlyMap<string, string>): Pick<LineText, 'tool' | 'toolDetail'> {
  const name = names.get(toolId) ?? toolId;
  return { tool: name, toolDetail: name === toolId ? '' : toolId };
}
