import { AppShell, Burger, Button, Group, NavLink, Stack, Text } from '@mantine/core';
import { useDisclosure, useNetwork } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { account } from '../api/queries.ts';
import { Loaded } from '../patterns/loaded.tsx';
import { signOut } from '../session/session.ts';
import { ColorSchemeButton } from './color-scheme-button.tsx';
import { Navigation } from './navigation.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import classes from './shell.module.css';

/** The frame around every page of who is signed in. */
export function Shell(): ReactNode {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { online } = useNetwork();
  const self = useQuery(account);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
      transitionDuration={0}
    >
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Text fw={700} size="lg">
              Tollgate
            </Text>
          </Group>
          <ColorSchemeButton />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label="Pages">
        <AppShell.Section grow className={classes.pages}>
          <Navigation isOperator={self.data?.operator === true} onNavigate={close} />
        </AppShell.Section>
        <AppShell.Section className={classes.foot}>
          <SignedIn email={self.data?.email} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        {!online && <OfflineNotice />}
        <div className={classes.page}>
          <Loaded of={self}>{() => <Outlet />}</Loaded>
        </div>
      </AppShell.Main>
    </AppShell>
  );
}

function SignedIn({ email }: { readonly email: string | undefined }): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const leaving = useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      await navigate({ to: '/sign-in' });
      client.clear();
    },
  });
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed" className={classes.email} title={email}>
        {email}
      </Text>
      <NavLink href="/docs" label="API documentation" />
      <Button variant="default" loading={leaving.isPending} onClick={() => leaving.mutate()}>
        Sign out
      </Button>
    </Stack>
  );
}
