import { isSlug } from '@tollgate/contracts/forms/slug';
import { AppError } from '@tollgate/kernel/app-error';
import type { Tool } from './tool.ts';

/** Repeats a slug alone: any other text of the caller may be long or unprintable. */
export function toolNotFound(toolId: string, tool: Tool | undefined): AppError {
  if (tool !== undefined) return new AppError('tool_not_found', `The tool \`${toolId}\` is archived.`);
  const message = isSlug(toolId) ? `There is no tool \`${toolId}\`.` : 'The tool_id is not the slug of a tool.';
  return new AppError('tool_not_found', message);
}
