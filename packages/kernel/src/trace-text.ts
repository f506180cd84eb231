/** The answer of `GET /v1/events/{event_id}/trace`. */
export interface TracedCall {
  readonly event_id: string;
  readonly accepted: { readonly timestamp: string; readonly received_at: string };
  readonly counted: {
    readonly hour: string;
    readonly tool_id: string;
    readonly calls: number;
    readonly consumer_id: string;
    readonly success: boolean;
  };
  readonly rated: {
    readonly charge_usd: number;
    readonly price_id: string;
    readonly not_billed: string | null;
    readonly charges: readonly {
      readonly quantity: string;
      readonly unit: string;
      readonly charge_usd: number;
      readonly line: { readonly quantity: string; readonly charge_usd: number } | null;
    }[];
  };
  readonly invoice: (InvoiceNames & { readonly status: string; readonly due_at: string | null }) | null;
  readonly payment: Waiting & {
    readonly status: string;
    readonly paid_at: string | null;
    readonly collected_by: InvoiceNames | null;
    readonly refunded_usd: number | null;
  };
  readonly earning: {
    readonly status: string;
    readonly earning_usd: number | null;
    readonly fee_usd: number | null;
  } | null;
  readonly payout:
    | (Waiting & {
        readonly status: string;
        readonly id: string | null;
        readonly period: string | null;
        readonly paid_at: string | null;
      })
    | null;
}

interface InvoiceNames {
  readonly number: number | null;
  readonly id: string | null;
  readonly period: string;
}

interface Waiting {
  readonly waits_for: string | null;
  readonly next_at: string | null;
  readonly failure_code: string | null;
}

/** A call from its receipt to its payout, for people: as much as its reader may see. */
export function traceText(trace: TracedCall): string {
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

function toRatedText({ charge_usd: usd, price_id: priceId, not_billed: notBilled, charges }: TracedCall['rated']) {
  if (notBilled !== null) return [`not billed: ${notBilled.replaceAll('_', ' ')}; price ${priceId}`];
  const each = charges.map(({ quantity, unit, charge_usd: part, line }) => {
    const whole = line === null ? '' : `, part of a line of ${line.quantity}, ${line.charge_usd} USD`;
    return `${quantity} ${unit}: ${part} USD${whole}`;
  });
  return [`${usd} USD by price ${priceId}`, ...each];
}

function toInvoiceText({ number, id, period, status, due_at: dueAt }: NonNullable<TracedCall['invoice']>): string {
  return number === null ? `draft of ${period}` : `${number} of ${period}, ${status}, due ${dueAt}, ${id}`;
}

function toPaymentText(payment: TracedCall['payment']): string {
  const by = payment.collected_by;
  const carried = by && payment.status !== 'nothing_to_pay' ? ` by invoice ${by.number} of ${by.period}` : '';
  const back = payment.refunded_usd ? `, ${payment.refunded_usd} USD refunded` : '';
  return `${words(payment.status)}${at(payment.paid_at)}${waiting(payment)}${carried}${back}`;
}

function toEarningText({ status, earning_usd: earned, fee_usd: fee }: NonNullable<TracedCall['earning']>): string {
  return earned === null ? words(status) : `${earned} USD and ${fee} USD fee, ${status}`;
}

function toPayoutText(payout: NonNullable<TracedCall['payout']>): string {
  const which = payout.id === null ? '' : ` in ${payout.period}, ${payout.id}`;
  return `${words(payout.status)}${at(payout.paid_at)}${waiting(payout)}${which}`;
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
