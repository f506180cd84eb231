import { dayMs } from '@tollgate/kernel/durations';
import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Reconciliation } from '@tollgate/contracts/operator/reconciliation';
import { createHttpClient } from '@tollgate/testkit/http-client';
import { createAsk } from './ask.ts';
import { awaitAutomatic, fund, fundedOf, refundRest } from './balances.ts';
import { readCalls } from './calls.ts';
import { readClock, stopClock } from './clock.ts';
import { DemoError } from './demo-error.ts';
import { addPaymentMethod, connectPayoutAccount } from './hosted-setup.ts';
import { lastTime, planBatches } from './plan-batches.ts';
import type { Progress } from './progress.ts';
import { readBalance, readInvoice, readPayout, readReconciliation } from './read-results.ts';
import { register } from './register.ts';
import { toReportedBalance, toReportedInvoice, toReportedPayout, type Report } from './report.ts';
import { sendBatch } from './send-batch.ts';
import { tools } from './tools.ts';

/** The start of an empty service's clock. */
export const clockStart = '2023-11-16T18:15:00Z';
const period = '2023-11';
/** A month gets no more calls a day after its end. The minute covers the delay of counting. */
const closingTime = '2023-12-02T00:01:00Z';
const payoutTime = '2023-12-08T00:01:00Z';

const consumerNames = Array.from({ length: 5 }, (_, at) => `consumer-${at}`);

export interface ServiceAddress {
  readonly baseUrl: string;
  readonly operatorToken: string;
}

export interface DemoOptions {
  readonly progress: Progress;
  readonly pdfFolder: string;
}

export interface DemoResult {
  readonly report: Report;
  readonly reconciliation: Reconciliation;
  /** In the order of the invoices. */
  readonly pdfFiles: readonly string[];
}

/** Plays the whole demo over HTTP, with an empty service. Throws DemoError when an answer is unexpected. */
export async function runDemo(service: ServiceAddress, { progress, pdfFolder }: DemoOptions): Promise<DemoResult> {
  const { one, each } = progress;
  const { operatorToken } = service;
  const ask = createAsk(createHttpClient(service));
  refuseLate(await readClock(ask, operatorToken));
  const clock = await stopClock(ask, operatorToken);

  const builder = await one('A builder registers', () => register('builder', ask));
  await each('Two tools, priced by call and token', tools, (body) =>
    ask('POST', '/v1/tools', { token: builder.token, body }),
  );
  const consumers = await each('Five consumers register', consumerNames, (name) => register(name, ask));
  await each('Payment methods are added, on the hosted page', consumers, (consumer) => addPaymentMethod(consumer, ask));
  const funded = fundedOf(consumers);
  await each('Balances are granted credit and topped up', funded, (of) => fund(of, { ask, operatorToken }));

  const calls = readCalls(consumers.length);
  const batches = planBatches(calls);
  await each('An hour of real calls is replayed', batches, (batch, say) => {
    say(lastTime(batch).slice(11, 19));
    return sendBatch(batch, { ask, clock, consumers });
  });
  await each('A balance has been topped up automatically', funded, (of) => awaitAutomatic(of, ask));

  await one('The payout account is connected, on its hosted page', () => connectPayoutAccount(builder, ask));
  await one('The month ends, invoices close', () => clock.goOnFrom(closingTime));
  const bills = await each('Invoices are collected', consumers, async (consumer) => ({
    consumer,
    invoice: await readInvoice(consumer, ask, period),
  }));
  await each('The rest of a balance is refunded', funded, (of) => refundRest(of, ask));
  await one('Payout day comes', () => clock.goOnFrom(payoutTime));
  const payout = await one('The payout is paid', () => readPayout(builder, ask, period));
  const balances = await each('Balances are read', funded, async ({ consumer }) =>
    toReportedBalance(consumer.name, await readBalance(consumer, { ask, operatorToken, period })),
  );

  await mkdir(pdfFolder, { recursive: true });
  const pdfFiles = await each('Invoices are printed', bills, async ({ consumer: { name, token }, invoice }) => {
    const { bytes } = await ask('GET', `/v1/billing/invoices/${invoice.id}.pdf`, { token });
    const file = resolve(pdfFolder, `${name}-${period}.pdf`);
    await writeFile(file, bytes);
    return file;
  });
  const reconciliation = await one('Everything is reconciled', () => readReconciliation(operatorToken, ask, period));
  const report = {
    events: calls.length,
    repeats_sent: batches.reduce((sum, { repeats }) => sum + repeats.length, 0),
    invoices: bills.map(({ consumer, invoice }) => toReportedInvoice(consumer.name, invoice)),
    balances,
    payout: toReportedPayout(payout),
    reconcile: { equal: reconciliation.equal },
  };
  return { report, reconciliation, pdfFiles };
}

function refuseLate(now: string): void {
  if (Date.parse(now) < Date.parse(clockStart) + dayMs) return;
  throw new DemoError(`the service's clock is at ${now}; start an empty service with its clock at ${clockStart}`);
}
