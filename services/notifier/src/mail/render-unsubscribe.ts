import type { OptionalMail } from '@tollgate/contracts/webhooks/mail-types';
import { renderPage } from '@tollgate/runtime/pages/render-page';

const kinds: Readonly<Record<OptionalMail, string>> = {
  'payout.paid': 'payouts that are paid',
  'payout.failed': 'payouts that failed',
  'spending.threshold_reached': 'thresholds of your spending',
  'spending.limit_reached': 'limits of your spending',
  'webhook_endpoint.disabled': 'webhook endpoints that are disabled',
};

export function renderAsk(type: OptionalMail): string {
  return page(
    'No more of these mails?',
    `<p>You are mailed about ${kinds[type]}. Invoices and what concerns your security are mailed all the same.</p>
      <form method="post">
        <button class="primary" name="List-Unsubscribe" value="One-Click">No more mails about ${kinds[type]}</button>
      </form>`,
  );
}

export function renderEnded(type: OptionalMail): string {
  return page(
    'No more of these mails',
    `<p>You are no longer mailed about ${kinds[type]}. <code>PUT /v1/notification-preferences</code> switches it on again.</p>`,
  );
}

export function renderUnknownLink(): string {
  return page('This link does not work', '<p>It is not whole. Copy all of it from the mail.</p>');
}

function page(title: string, text: string): string {
  const content = `<h1>${title}</h1>\n      ${text}`;
  return renderPage({ title: `${title} · Tollgate`, header: '<span>Tollgate</span>', content });
}
