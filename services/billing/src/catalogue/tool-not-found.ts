import { AppError } from '@tollgate/kernel/app-error';
import { isPlainName } from '@tollgate/kernel/text';

export function toolNotFound(slug: string): AppError {
  return noTool(slug, `There is no tool \`${slug}\`.`);
}

/** For an account that may read the tool but not change it: 404, since a 403 would say that another account owns it. */
export function ownToolNotFound(slug: string): AppError {
  return noTool(slug, `You have no tool \`${slug}\`.`);
}

/** Text of a path that is no slug may be long or unprintable. Then the answer does not repeat it. */
function noTool(slug: string, message: string): AppError {
  return new AppError('tool_not_found', isPlainName(slug) ? message : 'The path has no valid slug of a tool.', {
    detail: { slug },
  });
}
