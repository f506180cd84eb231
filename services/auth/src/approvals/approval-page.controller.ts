import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { approvalPageAnswerSchema, type ApprovalPageAnswer } from '@tollgate/contracts/spending/approvals';
import { AppError } from '@tollgate/kernel/app-error';
import { unreachable } from '@tollgate/kernel/unreachable';
import { isUuid } from '@tollgate/kernel/uuid';
import { paramsOf } from '@tollgate/runtime/http/requests/request-context';
import { readForm } from '@tollgate/runtime/pages/read-form';
import { sendPage } from '@tollgate/runtime/pages/send-page';
import type { Request, Response } from 'express';
import type { PageExchange } from '../oauth/exchange.ts';
import type { InteractionCookie } from '../oauth/interaction-cookie.ts';
import type { SignInPages } from '../oauth/sign-in-pages.ts';
import type { SignInStates } from '../oauth/sign-in-state.ts';
import type { ApprovalPages } from './approval-pages.ts';
import { renderNoPage } from './render-approval.ts';

interface UseCases {
  readonly cookie: InteractionCookie;
  readonly states: SignInStates;
  readonly signInPages: SignInPages<PageExchange>;
  readonly approvalPages: ApprovalPages;
}

/** The page of an approval, behind a sign-in. Each form has the token of its page and browser, as a consent's has. */
export function approvalPageController({ cookie, states, signInPages, approvalPages }: UseCases) {
  @Controller('approvals')
  class ApprovalPageController {
    @Get(':id')
    async show(@Req() request: Request, @Res() response: Response): Promise<void> {
      const exchange = await open(request, response);
      if (exchange === undefined) sendPage(response, { status: 404, html: renderNoPage() });
      else await approvalPages.show(exchange);
    }

    @Post(':id')
    async answer(@Req() request: Request, @Res() response: Response): Promise<void> {
      const exchange = await open(request, response);
      if (exchange === undefined) return sendPage(response, { status: 404, html: renderNoPage() });
      const form = await readForm(request, approvalPageAnswerSchema);
      if (!states.isFormToken(exchange.browser, form.form))
        throw new AppError('forbidden', 'The form is not that of this page. Load the page again.');
      await act(exchange, form);
    }
  }
  return ApprovalPageController;

  /** Whether there is such an approval, nobody learns who has not signed in. */
  async function open(request: Request, response: Response): Promise<PageExchange | undefined> {
    const uid = paramsOf(request)['id'] ?? '';
    if (!isUuid(uid)) return undefined;
    const browser = { uid, secret: cookie.read(request) };
    const state = await states.find(browser);
    // A cookie of a sign-in that has ended is as good as none, also for the forms.
    return { request, response, browser: state === undefined ? { uid, secret: undefined } : browser, state };
  }

  function act(exchange: PageExchange, form: ApprovalPageAnswer): Promise<void> {
    switch (form.answer) {
      case 'approve':
        return approvalPages.answer(exchange, 'approved');
      case 'refuse':
        return approvalPages.answer(exchange, 'refused');
      case 'sign_in':
        return signInPages.signIn(exchange, form);
      case 'code':
        return signInPages.enterCode(exchange, form);
      case 'sign_out':
        return signInPages.signOut(exchange);
      default:
        return unreachable(form.answer);
    }
  }
}
