import type { ErrorComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Failure } from '../patterns/loaded.tsx';

/** A page that could not be loaded or shown. Its files may be those of another version, so it is fetched anew. */
export function PageFailure({ error }: ErrorComponentProps): ReactNode {
  return <Failure error={error} retry={() => location.reload()} />;
}
