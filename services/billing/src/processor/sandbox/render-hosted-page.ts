import { toIso } from '@tollgate/kernel/clock';
import { escapeHtml, renderPage } from '@tollgate/runtime/pages/render-page';
import type { HostedPage, PageKind } from './hosted-pages.ts';

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
export function renderHostedPage({ kind, token, page }: HostedPageView): string {
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
export function renderLinkGone(): string {
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
