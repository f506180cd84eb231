import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isSignedOut, ProblemError } from './problem.ts';

/** `onSignedOut` is called once the service says of a request that its session has ended. */
export function createClient(onSignedOut: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error) => isSignedOut(error) && onSignedOut() }),
    mutationCache: new MutationCache({
      onError: (error, ...[, , mutation]) => {
        if (isSignedOut(error) && mutation.meta?.['isPublic'] !== true) onSignedOut();
      },
    }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 2 && isWorthAgain(error),
        networkMode: 'always', // the service may be on this machine, which has no network then
      },
      mutations: { networkMode: 'always' },
    },
  });
}

function isWorthAgain(error: unknown): boolean {
  return error instanceof ProblemError && error.status >= 500;
}
