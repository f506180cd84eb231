import { runTrace } from '@tollgate/billing/operator';

import { withDatabase, type DatabaseChoice } from './open-database.ts';

export interface TraceChoice {
  readonly eventId: string;
  readonly json?: boolean | undefined;
}

type Trace = Awaited<ReturnType<typeof runTrace>>;

/** `tollgate trace`: follows one event from its receipt to the payout. Throws if the event is not counted. */
export async function traceOneEvent({ eventId, json }: TraceChoice, choice: DatabaseChoice): Promise<string> {
  const { environment, log } = choice;
  const trace = await withDatabase(choice, ({ urlFor }) =>
    runTrace(eventId, { workerUrl: urlFor('billing_worker'), environment, log }),
  );
  return json === true ? JSON.stringify(trace, undefined, 2) : toText(trace);
}

function toText(trace: Trace): string {
  const { accepted, counted, invoice, earning } = trace;
  const outcome = counted.success ? 'succeeded' : 'failed';
  const rows: [string, ...string[]][] = [
    ['accepted', `called ${accepted.timestamp}, received ${accepted.received_at}`],
    [
      'counted',
      `hour ${counted.hour} of ${counted.tool_id}: ${counted.calls} calls of ${counted.consumer_id} that ${outcome}`,
    ],
    ['rated', ...toRatedText(trace.rated)],
    ...(invoice ? [['invoice', toInvoiceText(invoice)] as [string, string]] : []),
    ['payment', toPaymentText(trace.payment)],
    ...(earning ? [['earning', toEarningText(earning)] as [string, string]] : []),
    ...(trace.payout ? [['payout', toPayoutText(trace.payout)] as [string, string]] : []),
  ];
  const lines = rows.flatMap(([name, ...texts]) =>
    texts.map((text, index) => `  ${(index === 0 ? name : '').padEnd(10)} ${text}`),
  );
  return [`event ${trace.event_id}`, ...lines].join('\n');
}

function toRatedText({ charge_usd: usd, price_id: priceId, not_billed: notBilled, charges }: Trace['rated']) {
  if (notBilled !== null) return [`not billed: ${notBilled.replaceAll('_', ' ')}; price ${priceId}`];
  const each = charges.map(({ quantity, unit, charge_usd: part, line }) => {
    const whole = line === null ? '' : `, part of a line of ${line.quantity}, ${line.charge_usd} USD`;
    return `${quantity} ${unit}: ${part} USD${whole}`;
  });
  return [`${usd} USD by price ${priceId}`, ...each];
}

function toInvoiceText({ number, id, period, status, due_at: dueAt }: NonNullable<Trace['invoice']>): string {
  return number === null ? `draft of ${period}` : `${number} of ${period}, ${status}, due ${dueAt}, ${id}`;
}

function toPaymentText(payment: Trace['payment']): string {
  const by = payment.collected_by;
  const carried = by && payment.status !== 'nothing_to_pay' ? ` by invoice ${by.number} of ${by.period}` : '';
  const back = payment.refunded_usd ? `, ${payment.refunded_usd} USD refunded` : '';
  return `${words(payment.status)}${at(payment.paid_at)}${waiting(payment)}${carried}${back}`;
}

function toEarningText({ status, earning_usd: earned, fee_usd: fee }: NonNullable<Trace['earning']>): string {
  return earned === null ? words(status) : `${earned} USD and ${fee} USD fee, ${status}`;
}

function toPayoutText(payout: NonNullable<Trace['payout']>): string {
  const which = payout.id === null ? '' : ` in ${payout.period}, ${payout.id}`;
  return `${words(payout.status)}${at(payout.paid_at)}${waiting(payout)}${which}`;
}

interface Waiting {
  readonly waits_for: string | null;
  readonly next_at: string | null;
  readonly failure_code: string | null;
}

function waiting({ waits_for: what, next_at: nextAt, failure_code: failure }: Waiting): string {
  const why = failure === null ? '' : ` (${words(failure)})`;
  return what === null ? why : `, for ${words(what)}${at(nextAt)}${why}`;
}

function at(time: string | null): string {
  return time === null ? '' : ` ${time}`;
}

function words(name: string): string {
  return name.replaceAll('_', ' ');
}
