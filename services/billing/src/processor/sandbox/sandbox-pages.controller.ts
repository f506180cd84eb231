import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { cardSetupAnswerSchema, onboardingAnswerSchema, sandboxPageQuerySchema } from '@tollgate/contracts/sandbox';
import { parseQuery } from '@tollgate/runtime/http/parse';
import type { Request, Response } from 'express';
import type { PageKind, PageReturn } from './hosted-pages.ts';
import { readForm } from './read-form.ts';
import { renderHostedPage, renderLinkGone } from './render-hosted-page.ts';
import { sendPage } from './send-page.ts';
import { token, type UseCases } from '../../edge/use-cases.ts';

/** The pages behind `connect_url` and `setup_url`. Looking changes nothing; a button works once and leads back. */
@Controller('v1/sandbox')
export class SandboxPagesController {
  constructor(@Inject(token('hostedPages')) private readonly pages: NonNullable<UseCases['hostedPages']>) {}

  @Get('onboarding')
  async showOnboarding(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.show('onboarding', request, response);
  }

  @Post('onboarding')
  async answerOnboarding(@Req() request: Request, @Res() response: Response): Promise<void> {
    const form = await readForm(request, onboardingAnswerSchema);
    leave(response, await this.pages.answerOnboarding(form.token, form.answer));
  }

  @Get('card-setup')
  async showCardSetup(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.show('card_setup', request, response);
  }

  @Post('card-setup')
  async answerCardSetup(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { token: linkToken, answer, card } = await readForm(request, cardSetupAnswerSchema);
    leave(response, await this.pages.answerCardSetup(linkToken, { answer, card }));
  }

  private async show(kind: PageKind, request: Request, response: Response): Promise<void> {
    const query = parseQuery(sandboxPageQuerySchema, request.url);
    const page = await this.pages.find(kind, query.token);
    if (!page) sendPage(response, { status: 404, html: renderLinkGone() });
    else sendPage(response, { status: 200, html: renderHostedPage({ kind, token: query.token, page }), page });
  }
}

/** 303: the browser comes back with GET, to the address that was checked when the link was made. */
function leave(response: Response, back: PageReturn | undefined): void {
  if (back) response.writeHead(303, { location: back.returnUrl }).end();
  else sendPage(response, { status: 404, html: renderLinkGone() });
}
