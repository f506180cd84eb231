import { webhookTypes } from '@tollgate/contracts/webhooks/webhook-types';
import { formatTime, formatUsd } from './mail-formats.ts';
import type { Fact, MailContent } from './render-mail.ts';

/** The part of a mail that differs from type to type. */
export type MailBody = Pick<MailContent, 'title' | 'sentences' | 'facts' | 'button'>;

export interface Told {
  readonly data: unknown;
  readonly happenedAtMs: number;
  /** The print of an invoice goes along. */
  readonly hasPrint: boolean;
}

/** Writes the mail of an event, by the type of the event. Throws if `data` has not the form of its webhook. */
export const toldMails: Readonly<Record<string, (told: Told) => MailBody>> = {
  'invoice.issued'({ data, hasPrint }) {
    const invoice = webhookTypes['invoice.issued'].data.parse(data);
    const { number, period, status } = invoice;
    const whatNow = whatNowOf[status] ?? 'It is charged to your payment method, as soon as there is one.';
    const where = hasPrint
      ? 'The invoice is attached as a PDF.'
      : `Its PDF is too large for a mail: GET /v1/billing/invoices/${invoice.id}.pdf has it.`;
    return { title: `Invoice ${number} for ${period}`, sentences: [whatNow, where], facts: factsOfInvoice(invoice) };
  },
  'invoice.payment_failed'({ data }) {
    const invoice = webhookTypes['invoice.payment_failed'].data.parse(data);
    return {
      title: `The payment of invoice ${invoice.number} failed`,
      sentences: [
        'Your payment method was charged, and the charge failed. It is tried again on the next days.',
        'A new payment method is charged at once: POST /v1/billing/payment-method gives you the page for it.',
      ],
      facts: factsOfInvoice(invoice),
    };
  },
  'payout.paid'({ data }) {
    const payout = webhookTypes['payout.paid'].data.parse(data);
    return {
      title: `Your payout for ${payout.period} is paid`,
      sentences: ['The money was transferred to your payout account. Banks take some days to show it.'],
      facts: factsOfPayout(payout),
    };
  },
  'payout.failed'({ data }) {
    const payout = webhookTypes['payout.failed'].data.parse(data);
    return {
      title: `Your payout for ${payout.period} failed`,
      sentences: [
        'The transfer to your payout account failed. The money stays yours, and the transfer is tried again.',
        'See whether your payout account needs something: GET /v1/billing/payout-account says so.',
      ],
      facts: factsOfPayout(payout),
    };
  },
  'spending.threshold_reached': ({ data }) => bodyOfAlert(webhookTypes['spending.threshold_reached'].data.parse(data)),
  'spending.limit_reached': ({ data }) => bodyOfAlert(webhookTypes['spending.limit_reached'].data.parse(data)),
  'api_key.created'({ data }) {
    const key = webhookTypes['api_key.created'].data.parse(data);
    return {
      title: 'A new API key was made',
      sentences: [
        'Whoever has it acts for your account, as far as its scopes go.',
        `If it was not you who made it, revoke it now by DELETE /v1/api-keys/${key.id}, and set a new password.`,
      ],
      facts: [
        ['Name', key.name],
        ['Key', `${key.prefix}…${key.last_four}`],
        ['Scopes', key.can.join(', ')],
        ['Made', formatTime(key.created_at)],
        ['Ends', key.expires_at === null ? 'when it is revoked' : formatTime(key.expires_at)],
      ],
    };
  },
  'webhook_endpoint.disabled'({ data }) {
    const { url, reason, id } = webhookTypes['webhook_endpoint.disabled'].data.parse(data);
    const why = reason === 'gone' ? 'It answered 410.' : 'It answered no webhook with success for five days.';
    return {
      title: 'A webhook endpoint was disabled',
      sentences: [why, 'Mend it, enable it again, and let it have what it missed: POST …/redeliver sends that.'],
      facts: [
        ['Address', url],
        ['Endpoint', id],
      ],
    };
  },
};

const whatNowOf: Readonly<Partial<Record<string, string>>> = {
  carried: 'It is too small to charge. The next invoice takes its amount in.',
  paid: 'Your balance has paid it. Nothing is left to do.',
};

interface ShownInvoice {
  readonly number: number;
  readonly period: string;
  readonly total_usd: number;
  readonly due_at: string;
}

function factsOfInvoice(invoice: ShownInvoice): readonly Fact[] {
  return [
    ['Invoice', String(invoice.number)],
    ['Month', invoice.period],
    ['Total', formatUsd(invoice.total_usd)],
    ['Due', formatTime(invoice.due_at)],
  ];
}

interface ShownAlert {
  readonly scope: string;
  readonly scope_id: string;
  readonly percent: number;
  readonly cap_usd: number;
  readonly spent_usd: number;
}

function bodyOfAlert(alert: ShownAlert): MailBody {
  const isAll = alert.percent >= 100;
  const owner = alert.scope === 'account' ? 'your budget' : `the cap of a ${alert.scope}`;
  return {
    title: isAll ? `All of ${owner} is spent` : `${alert.percent} % of ${owner} is spent`,
    sentences: [
      isAll
        ? 'Calls that cost more are refused until it is raised or renewed.'
        : 'Calls go on until all of it is spent.',
    ],
    facts: [
      ['Spent', formatUsd(alert.spent_usd)],
      ['Of', formatUsd(alert.cap_usd)],
      ...(alert.scope === 'account' ? [] : [['Id', alert.scope_id] as const]),
    ],
  };
}

interface ShownPayout {
  readonly period: string;
  readonly amount_usd: number;
  readonly fee_usd: number;
  readonly net_usd: number;
}

function factsOfPayout(payout: ShownPayout): readonly Fact[] {
  return [
    ['Month', payout.period],
    ['Amount', formatUsd(payout.amount_usd)],
    ['Fee', formatUsd(payout.fee_usd)],
    ['Paid out', formatUsd(payout.net_usd)],
  ];
}
