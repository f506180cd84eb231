import { AppError } from '@tollgate/kernel/app-error';

/** Also for whoever may read a tool but not change it: a 403 would say whose it is not. */
export function toolNotFound(slug: string): AppError {
  return new AppError('tool_not_found', 'There is no such tool, or it is not yours to change.', {
    detail: { slug },
  });
}
