import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isMissing, isSignedOut, sentenceOf } from '../api/problem.ts';
import { ButtonLink } from './links.tsx';
import { Page } from './page.tsx';

interface Waiting<Data> {
  /** The heading while what comes has none yet. */
  readonly title?: string;
  readonly of: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** Shows what came, that it is on its way, or why it does not come. What came before stays while it is asked again. */
export function Loaded<Data>({ title, of: query, children }: Waiting<Data>): ReactNode {
  if (query.data !== undefined) {
    return (
      <>
        {query.isError && <Failure error={query.error} retry={() => void query.refetch()} isStale />}
        {children(query.data)}
      </>
    );
  }
  const isRefused = query.isError && !isSignedOut(query.error);
  const shown = isRefused ? <Failure error={query.error} retry={() => void query.refetch()} /> : <Loading />;
  return title === undefined ? shown : <Page title={title}>{shown}</Page>;
}

function Loading(): ReactNode {
  return (
    <Stack role="status" aria-label="Loading" gap="sm">
      <Skeleton height={18} width="40%" />
      <Skeleton height={18} />
      <Skeleton height={18} />
    </Stack>
  );
}

interface Failed {
  readonly error: unknown;
  readonly retry: () => void;
  readonly isStale?: boolean;
}

export function Failure({ error, retry, isStale = false }: Failed): ReactNode {
  return (
    <Alert color="red" role="alert" title={sentenceOf(error)}>
      <Group gap="sm">
        {isStale && <Text size="sm">What is shown is what came last.</Text>}
        {isMissing(error) ? ( // another try finds no more
          <ButtonLink to="/" variant="default" size="xs">
            Go to the overview
          </ButtonLink>
        ) : (
          <Button variant="default" size="xs" onClick={retry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}
