import { AppError } from '@tollgate/kernel/app-error';

/**
 * The answer also to accounts that may read the tool but not change it: a 403 would reveal that it has another owner.
 */
export function toolNotFound(slug: string): AppError {
  return new AppError('tool_not_found', 'There is no such tool, or it is not yours to change.', {
    detail: { slug },
  });
}
