import type { Schemas } from '@tollgate/sdk/edge';
import { formatQuantity, formatUsd } from '../patterns/format-usd.ts';

type Trace = Schemas['Trace'];

/** A step of a call on its way, in words. */
export interface Step {
  readonly title: string;
  readonly status: 'done' | 'waiting' | 'failed';
  readonly says: string;
  readonly at?: string | null;
  /** When a wait ends, if that is known. */
  readonly nextAt?: string | null;
  /** The invoice whose page shows more: its id, or the draft. */
  readonly invoice?: string;
}

const waits: Readonly<Record<string, string>> = {
  period_close: 'The month is not closed yet.',
  next_invoice: 'The invoice was below the minimum, and is carried into the next one.',
  payment_method: 'No payment method can be charged.',
  collection: 'The charge is due.',
  outcome: 'The outcome is being looked up.',
  retry: 'It failed, and is tried again.',
  payment: 'The consumer has not paid yet.',
  payout_day: 'The next payout day has not come yet.',
  payout_account: 'No account that can receive payouts is connected.',
  minimum: 'Too little is payable yet.',
  transfer: 'The payout is queued.',
};

const unbilled: Readonly<Record<string, string>> = {
  own_call: 'It is not billed: the tool is your own.',
  failed_call: 'It is not billed: the price does not bill failed calls.',
  nothing_to_charge: 'It is not billed: no charge of the price applies.',
};

/** The way of a call, from its receipt to its payout, as far as who looks may see it. */
export function stepsOf(trace: Trace): Step[] {
  return [acceptedStep(trace), countedStep(trace), ratedStep(trace), ...billedSteps(trace), ...earnedSteps(trace)];
}

function acceptedStep({ accepted }: Trace): Step {
  const took = accepted.duration_ms === null ? '' : ` after ${formatQuantity(accepted.duration_ms)} ms`;
  const says = `The call ${accepted.success ? 'succeeded' : 'failed'}${took}, and is durable.`;
  return { title: 'Accepted', status: 'done', says, at: accepted.received_at };
}

function countedStep({ counted }: Trace): Step {
  const calls = `${formatQuantity(counted.calls)} ${counted.calls === 1 ? 'call' : 'calls'}`;
  return { title: 'Counted', status: 'done', says: `Its hour has ${calls} of this outcome.` };
}

function ratedStep({ rated }: Trace): Step {
  const says = unbilled[rated.not_billed ?? ''] ?? `It adds ${formatUsd(rated.charge_usd)}.`;
  return { title: 'Rated', status: 'done', says };
}

function billedSteps({ invoice, payment }: Trace): Step[] {
  if (invoice === null) return [];
  const isDraft = invoice.status === 'draft';
  const number = invoice.number === null ? `the draft of ${invoice.period}` : `invoice ${invoice.number}`;
  const step: Step = {
    title: 'On an invoice',
    status: isDraft ? 'waiting' : 'done',
    says: `It is on ${number}.`,
    at: invoice.issued_at,
    invoice: invoice.id ?? 'draft',
  };
  return [step, paymentStep(payment)];
}

function paymentStep(payment: Trace['payment']): Step {
  const isOver = payment.status === 'uncollectible' || payment.status === 'void';
  const done = payment.status === 'paid' ? 'It is paid.' : 'There is nothing to pay.';
  const says = isOver ? `The invoice is ${payment.status}.` : (waits[payment.waits_for ?? ''] ?? done);
  const status = isOver ? 'failed' : payment.status === 'waiting' ? 'waiting' : 'done';
  return { title: 'Paid', status, says, at: payment.paid_at, nextAt: payment.next_at };
}

function earnedSteps({ earning, payout }: Trace): Step[] {
  const steps: Step[] = [];
  if (earning !== null) {
    const amount = earning.earning_usd === null ? 'It was written off.' : `You earn ${formatUsd(earning.earning_usd)}.`;
    const status = { expected: 'waiting', released: 'done', written_off: 'failed' } as const;
    steps.push({ title: 'Earned', status: status[earning.status], says: amount, at: earning.released_at });
  }
  if (payout !== null) {
    const status = { waiting: 'waiting', scheduled: 'waiting', paid: 'done', failed: 'failed' } as const;
    const says = waits[payout.waits_for ?? ''] ?? 'It is on your account.';
    steps.push({ title: 'Paid out', status: status[payout.status], says, at: payout.paid_at, nextAt: payout.next_at });
  }
  return steps;
}
