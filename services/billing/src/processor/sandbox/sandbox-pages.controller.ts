import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import {
  cardSetupAnswerSchema,
  onboardingAnswerSchema,
  sandboxPageQuerySchema,
} from '@tollgate/contracts/sandbox/sandbox';
import { parseQuery } from '@tollgate/runtime/http/requests/parse';
import { readForm } from '@tollgate/runtime/pages/read-form';
import { sendPage } from '@tollgate/runtime/pages/send-page';
import type { Request, Response } from 'express';
import { renderHostedPage, renderLinkGone } from './render-hosted-page.ts';
import type { HostedPages, PageKind, PageReturn } from './hosted-pages.ts';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';

export interface SandboxPagesUseCases {
  readonly hostedPages: HostedPages;
}

/**
 * Serves the pages behind `connect_url` and `setup_url`. Viewing changes nothing; a button works once and leads back.
 */
export function sandboxPagesController({ hostedPages }: SandboxPagesUseCases): NestController {
  @Controller('v1/sandbox')
  class SandboxPagesController {
    @Get('onboarding')
    async showOnboarding(@Req() request: Request, @Res() response: Response): Promise<void> {
      await show('onboarding', request, response);
    }

    @Post('onboarding')
    async answerOnboarding(@Req() request: Request, @Res() response: Response): Promise<void> {
      const form = await readForm(request, onboardingAnswerSchema);
      leave(response, await hostedPages.answerOnboarding(form.token, form.answer));
    }

    @Get('card-setup')
    async showCardSetup(@Req() request: Request, @Res() response: Response): Promise<void> {
      await show('card_setup', request, response);
    }

    @Post('card-setup')
    async answerCardSetup(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { token: linkToken, answer, card } = await readForm(request, cardSetupAnswerSchema);
      leave(response, await hostedPages.answerCardSetup(linkToken, { answer, card }));
    }
  }
  return SandboxPagesController;

  async function show(kind: PageKind, request: Request, response: Response): Promise<void> {
    const query = parseQuery(sandboxPageQuerySchema, request.url);
    const page = await hostedPages.find(kind, query.token);
    if (!page) sendPage(response, { status: 404, html: renderLinkGone() });
    else {
      const html = renderHostedPage({ kind, token: query.token, page });
      sendPage(response, { status: 200, html, formTarget: page });
    }
  }
}

/** 303: the browser follows with GET, to the address that was checked when the link was created. */
function leave(response: Response, back: PageReturn | undefined): void {
  if (back) response.writeHead(303, { location: back.returnUrl }).end();
  else sendPage(response, { status: 404, html: renderLinkGone() });
}
