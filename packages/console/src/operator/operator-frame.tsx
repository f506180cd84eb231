import { Code, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { account } from '../api/queries.ts';
import { Empty } from '../patterns/empty.tsx';
import { ButtonLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Page } from '../patterns/page.tsx';
import { callOperator, wantsCode } from './operator-api.ts';
import { SecondFactorDoor } from './second-factor-door.tsx';

/** Whether this browser may see the operator's pages. */
const gate = queryOptions({
  queryKey: ['operatorGate'],
  queryFn: async ({ signal }) => {
    const asked = callOperator('listUnclosedConsumers', { query: { limit: 1 }, signal });
    return asked.then(
      () => 'open' as const,
      (error: unknown) => {
        if (wantsCode(error)) return 'closed' as const;
        throw error;
      },
    );
  },
  staleTime: 60_000,
});

/** Around every page of the operator. The service refuses all others anyway: here they are told why. */
export function OperatorFrame(): ReactNode {
  const self = useQuery(account);
  const isOperator = self.data?.operator === true;
  const opened = useQuery({ ...gate, enabled: isOperator });
  if (!isOperator) return <OnlyOperators />;
  return (
    <Loaded title="Operator" of={opened}>
      {(state) => (state === 'open' ? <Outlet /> : <SecondFactorDoor />)}
    </Loaded>
  );
}

function OnlyOperators(): ReactNode {
  return (
    <Page title="Only for operators">
      <Empty title="Your account is none of the operator.">
        <Text>
          An operator of this platform marks an account by <Code>tollgate operator account grant-operator</Code> and its
          e-mail.
        </Text>
        <ButtonLink variant="default" to="/">
          Go to the overview
        </ButtonLink>
      </Empty>
    </Page>
  );
}
