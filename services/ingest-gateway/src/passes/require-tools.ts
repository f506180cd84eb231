import type { CreatePass } from '@tollgate/contracts/spending/passes';
import { invalidRequest } from '@tollgate/runtime/http/requests/invalid-request';
import type { ToolDirectory } from '../tools/tool-directory.ts';

/** Throws 400 that names each unknown tool: such a pass would fail at its first use, in the program of somebody else. */
export async function requireTools(tools: ToolDirectory, asked: CreatePass['tools']): Promise<void> {
  if (asked === '*') return;
  const found = await Promise.all(asked.map(async (toolId) => tools.known(toolId) ?? (await tools.lookUp(toolId))));
  const unknown = asked.filter((_, index) => found[index] === undefined);
  if (unknown.length === 0) return;
  const errors = unknown.map((toolId) => {
    const pointer = `/tools/${asked.indexOf(toolId)}`;
    return { pointer, code: 'unknown_tool', message: `There is no tool \`${toolId}\`.` };
  });
  throw invalidRequest('The pass names a tool that does not exist.', errors);
}
