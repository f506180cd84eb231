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
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { toIso } from '@tollgate/kernel/clock';
import { escapeHtml, renderPage } from '@tollgate/runtime/pages/render-page';
import type { HostedPages, PageKind, PageReturn, HostedPage } from './hosted-pages.ts';

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

export interface HostedPageView {
  readonly kind: PageKind;
  readonly token: string;
  readonly page: HostedPage;
}

interface PageTexts {
  readonly title: string;
  readonly about: string;
  readonly object: string;
  readonly complete: string;
  readonly refuse: string;
}

const pageTexts: Record<PageKind, PageTexts> = {
  onboarding: {
    title: 'Connect your payout account',
    about: 'A real processor would now ask who you are and where your money goes. Here you choose how that ends.',
    object: 'Account',
    complete: 'Complete: enable payouts',
    refuse: 'Refuse: details given, payouts denied',
  },
  card_setup: {
    title: 'Add a payment method',
    about: 'A real processor would now ask for your card. Here you choose a test card; no number is needed.',
    object: 'Customer',
    complete: 'Save this card',
    refuse: 'Refuse: the card is declined',
  },
};

const cards = `<fieldset>
          <legend>Card</legend>
          <label><input type="radio" name="card" value="visa" checked><span>Visa</span><small>•••• 4242</small></label>
          <label><input type="radio" name="card" value="mastercard"><span>Mastercard</span><small>•••• 4444</small></label>
          <label><input type="radio" name="card" value="declined"><span>Visa, declined when charged</span><small>•••• 0341</small></label>
        </fieldset>
        `;

/** Renders a page with its buttons. All variable text is escaped, and there is no script. */
function renderHostedPage({ kind, token, page }: HostedPageView): string {
  const { title, about, object, complete, refuse } = pageTexts[kind];
  return renderSandboxPage(
    title,
    `<h1>${title}</h1>
      <p>${about}</p>
      <dl>
        <dt>${object}</dt><dd>${escapeHtml(page.objectId)}</dd>
        <dt>Then back to</dt><dd>${escapeHtml(new URL(page.returnUrl).host)}</dd>
        <dt>Link expires</dt><dd>${toIso(page.expiresAtMs).slice(0, 16).replace('T', ' ')} UTC</dd>
      </dl>
      <form method="post">
        <input type="hidden" name="token" value="${escapeHtml(token)}">
        ${kind === 'card_setup' ? cards : ''}<button class="primary" name="answer" value="complete">${complete}</button>
        <button class="warn" name="answer" value="refuse">${refuse}</button>
        <button class="quiet" name="answer" value="later">Come back later</button>
      </form>`,
  );
}

/**
 * Renders the page for a link that does not work. It is the same for used, expired and unknown links, so a guess
 * reveals nothing.
 */
function renderLinkGone(): string {
  return renderSandboxPage(
    'This link does not work',
    `<h1>This link does not work</h1>
      <p>It was used already, or it has expired. Go back to the page that you came from and ask for a new link.</p>`,
  );
}

function renderSandboxPage(title: string, content: string): string {
  return renderPage({
    title: `${title} · Tollgate sandbox`,
    header: '<span>Tollgate Pay</span><span class="badge">Sandbox · no real money</span>',
    content,
  });
}
