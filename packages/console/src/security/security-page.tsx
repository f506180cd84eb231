import type { ReactNode } from 'react';
import { Page } from '../patterns/page.tsx';
import { ChangePassword } from './change-password.tsx';
import { PublicName } from './public-name.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

/** Shows who is signed in, and what a sign-in takes. */
export function SecurityPage(): ReactNode {
  return (
    <Page title="Sign-in and security">
      <Sessions />
      <SecondFactor />
      <ChangePassword />
      <PublicName />
    </Page>
  );
}
