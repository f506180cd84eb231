import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Config } from '../config.ts';
import type { Letters } from '../letters/letters.ts';
import type { PrepareSession } from '../sessions/prepare-session.ts';
import { accountController } from './account.controller.ts';
import { createBeginSession, createSignInSteps, type UseSecondFactor } from './begin-session.ts';
import { createChangePassword } from './change-password.ts';
import { createMemorySignInThrottle, type SignInThrottle } from './memory-sign-in-throttle.ts';
import { createNameAccount } from './name-account.ts';
import { createReadAccount } from './read-account.ts';
import { createRecordRefusals } from './record-refusals.ts';
import { createRegisterAccount } from './register-account.ts';
import { createSignIn } from './sign-in.ts';
import { wirePasswords } from './wire-passwords.ts';

interface Deps {
  readonly api: Database;
  readonly worker: Database;
  readonly clock: Clock;
  readonly prepareSession: PrepareSession;
  readonly refuseSuspended: (accountId: string) => void;
  readonly credentialsChanged: () => Promise<void>;
  readonly throttle: SignInThrottle;
  readonly letters: Letters | undefined;
  readonly useSecondFactor: UseSecondFactor;
}

export function wireThrottle(config: Config, clock: Clock): SignInThrottle {
  const limits = {
    loginsPerAccountAndAddress: config.LOGINS_PER_ACCOUNT_AND_ADDRESS_PER_MINUTE,
    loginsPerAddress: config.LOGINS_PER_ADDRESS_PER_MINUTE,
    registrationsPerAddress: config.REGISTRATIONS_PER_ADDRESS_PER_MINUTE,
    clientsPerAddress: config.OAUTH_CLIENTS_PER_ADDRESS_PER_MINUTE,
  };
  return createMemorySignInThrottle(limits, clock);
}

export function wireAccounts(config: Config, deps: Deps) {
  const { breachedPasswords, ...passwords } = wirePasswords(config);
  const parts = { ...deps, ...passwords, readAccount: createReadAccount(deps) };
  const recordRefusals = createRecordRefusals(deps);
  const signInSteps = createSignInSteps(parts);
  const beginSession = createBeginSession(signInSteps);
  const useCases = {
    throttle: deps.throttle,
    hasher: parts.hasher,
    passwordRules: parts.passwordRules,
    resetUrl: deps.letters?.resetUrl,
    registerAccount: createRegisterAccount(parts),
    beginSession,
    signInSteps,
    signIn: recordRefusals.ofSignIn(createSignIn({ beginSession })),
    readAccount: parts.readAccount,
    changePassword: recordRefusals.ofChange('password.changed', createChangePassword(parts)),
    nameAccount: createNameAccount(deps),
    recordRefusals,
  };
  return { useCases, controllers: [accountController(useCases)], parts: [breachedPasswords] };
}
