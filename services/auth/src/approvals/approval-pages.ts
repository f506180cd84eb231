import type { Database } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { sendPage } from '@tollgate/runtime/pages/send-page';
import { asSession } from '../accounts/as-session.ts';
import type { PageExchange } from '../oauth/exchange.ts';
import type { InteractionCookie } from '../oauth/interaction-cookie.ts';
import type { SignInPages } from '../oauth/sign-in-pages.ts';
import type { SignInState, SignInStates } from '../oauth/sign-in-state.ts';
import { endSession } from '../sessions/sql-session.ts';
import type { AnswerApproval, AnswerToGive } from './answer-approval.ts';
import { renderAnswered, renderApproval, renderNoApproval } from './render-approval.ts';
import { findApproval, type Approval } from './sql-approval.ts';

interface Deps {
  /** Connects as auth_api, under the row-level policies of the account. */
  readonly api: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly states: SignInStates;
  readonly cookie: InteractionCookie;
  readonly answerApproval: AnswerApproval;
  readonly credentialsChanged: () => Promise<void>;
  readonly signInPages: Pick<SignInPages<PageExchange>, 'show'>;
}

/** The pages that follow the sign-in. The id of the interaction is that of the approval. */
export interface ApprovalPages {
  show(exchange: PageExchange): Promise<void>;
  answer(exchange: PageExchange, state: AnswerToGive['state']): Promise<void>;
}

export function createApprovalPages(deps: Deps): ApprovalPages {
  const { api, clock, states, cookie, answerApproval, credentialsChanged, signInPages } = deps;

  async function show(exchange: PageExchange): Promise<void> {
    const { state, browser, response } = exchange;
    if (state?.stage !== 'done') return signInPages.show(exchange);
    const { accountId, email } = state;
    const nowMs = clock.now();
    const approval = await api.transaction((tx) => findApproval(tx, browser.uid, nowMs), { accountId });
    const formToken = states.formToken(browser);
    if (approval === undefined)
      return sendPage(response, { status: 404, html: renderNoApproval(formToken), formTarget: 'self' });
    if (!isWaiting(approval, nowMs)) return sendPage(response, { status: 200, html: renderAnswered(approval, nowMs) });
    const html = renderApproval({ approval, email, formToken });
    sendPage(response, { status: 200, html, formTarget: 'self' });
  }

  /** The sign-in ends with the answer. */
  async function giveAnswer(
    { request, browser }: PageExchange,
    { accountId, sessionId }: DoneState,
    state: AnswerToGive['state'],
  ): Promise<Approval> {
    const answer = { approvalId: browser.uid, accountId, sessionId, state };
    const ended = { sessionId, endedAt: clock.now(), because: 'logout' } as const;
    const by = asSession(actorOf(request), { accountId, sessionId });
    const approval = await answerApproval(answer, by, (tx) => endSession(tx, ended));
    await credentialsChanged();
    return approval;
  }

  return {
    show,
    async answer(exchange, to) {
      const { state, browser, response } = exchange;
      if (state?.stage !== 'done') return signInPages.show(exchange);
      const given = await giveAnswer(exchange, state, to).catch(mendable);
      if (given instanceof AppError) {
        if (given.code !== 'unauthorized') return show(exchange);
        return signInPages.show({ ...exchange, state: undefined }, { email: state.email, problem: given.message });
      }
      await states.end(browser);
      cookie.clear(response, browser.uid);
      sendPage(response, { status: 200, html: renderAnswered(given, clock.now()) });
    },
  };
}

type DoneState = Extract<SignInState, { stage: 'done' }>;

function isWaiting({ state, expiresAt }: Approval, nowMs: number): boolean {
  return state === 'open' && nowMs < expiresAt;
}

/** The page of the approval says what has become of it meanwhile. */
function mendable(error: unknown): AppError {
  const codes: readonly string[] = ['unauthorized', 'not_found', 'approval_not_open'];
  if (error instanceof AppError && codes.includes(error.code)) return error;
  throw error;
}
