import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { createOwnAddress } from '@tollgate/runtime/http/requests/own-address';
import type { SignInSteps } from '../accounts/begin-session.ts';
import type { SignInThrottle } from '../accounts/memory-sign-in-throttle.ts';
import type { RecordRefusals } from '../accounts/record-refusals.ts';
import type { RegisterAccount } from '../accounts/register-account.ts';
import type { Config } from '../config.ts';
import { createInteractionCookie } from '../oauth/interaction-cookie.ts';
import { createSignInPages } from '../oauth/sign-in-pages.ts';
import { createSignInPerson } from '../oauth/sign-in-person.ts';
import { createSignInStates } from '../oauth/sign-in-state.ts';
import type { EndSession } from '../sessions/end-session.ts';
import { createAnswerApproval } from './answer-approval.ts';
import { approvalPageController } from './approval-page.controller.ts';
import { createApprovalPages } from './approval-pages.ts';
import { approvalsController } from './approvals.controller.ts';

interface Deps {
  readonly api: Database;
  readonly worker: Database;
  readonly clock: Clock;
  /** Sign-ins of pages live by it. */
  readonly realTime: Pick<Clock, 'now'>;
  readonly throttle: SignInThrottle;
  readonly signInSteps: SignInSteps;
  readonly recordRefusals: RecordRefusals;
  readonly resetUrl: string | undefined;
  readonly registerAccount: RegisterAccount;
  readonly endSession: EndSession;
  readonly refuseSuspended: (accountId: string) => void;
  readonly credentialsChanged: () => Promise<void>;
}

/** Calls that the limits of a pass refused, and that its owner may let through. */
export function wireApprovals({ PUBLIC_URL: publicUrl, AUTH_KEY_ENCRYPTION_SECRET: secret }: Config, deps: Deps) {
  const answerApproval = createAnswerApproval(deps);
  const parts = {
    ...deps,
    answerApproval,
    cookie: createInteractionCookie(publicUrl ?? '', `${pathOf(publicUrl)}/approvals`),
    states: createSignInStates({ ...deps, secret }),
    signInPerson: createSignInPerson({ ...deps, by: 'approval' }),
    nameOfClient: async () => 'The holder of a pass',
  };
  const signInPages = createSignInPages(parts);
  const pages = { ...parts, signInPages, approvalPages: createApprovalPages({ ...parts, signInPages }) };
  const ownAddressOf = createOwnAddress(publicUrl);
  return {
    controllers: [approvalsController({ ...deps, answerApproval, ownAddressOf }), approvalPageController(pages)],
  };
}

/** The path under which an edge serves us, as browsers see it. */
function pathOf(publicUrl: string | undefined): string {
  return publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}
