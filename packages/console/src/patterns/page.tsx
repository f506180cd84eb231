import { Group, Stack, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './page.module.css';

interface Paged {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page with its heading, which has the focus first: whoever reads by keyboard or by ear is told where they are. */
export function Page({ title, actions, children }: Paged): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useDocumentTitle(`${title} · Tollgate`);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Title order={1} size="h2" ref={heading} tabIndex={-1} className={classes.heading}>
          {title}
        </Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
