import { Container } from '@mantine/core';
import type { ReactNode } from 'react';
import { ButtonLink } from '../patterns/links.tsx';
import { Page } from '../patterns/page.tsx';

export function NotFound(): ReactNode {
  return (
    <Container component="main" py="xl">
      <Page title="There is no such page">
        <div>
          <ButtonLink to="/">Go to the overview</ButtonLink>
        </div>
      </Page>
    </Container>
  );
}
