/**
 * Computes the invoices, the balances and the payout of the demo from the two CSV files and what is paid in below: no code
 * of Tollgate, whole numbers only.
 *
 *   node compute-invoices.mjs
 *
 * The row at 0-based position i of each file is a call by consumer i mod 5. Lines are rounded half-even to millionths of a
 * dollar; an invoice bills whole cents, rounded down; the builder's fee is 4 % of what is beyond 1,000 USD, rounded down.
 * A balance pays before the card, granted credit before what was topped up. Only the latter is refunded, less what the
 * invoice did not bill.
 */
import { readFileSync } from 'node:fs';

const files = [
  { file: 'code.csv', tool: 'code' },
  { file: 'conv.csv', tool: 'conversation' },
];
/** In 10^-12 dollars: 0.001 per call, 0.00003 per context token, 0.00015 per generated token. */
const unitPrices = { calls: 1_000_000_000n, context_tokens: 30_000_000n, generated_tokens: 150_000_000n };
const feeFreeMicros = 1_000_000_000n;
/** In dollars. Consumer 0 has 200 twice by itself: below 20, at most 400 in the month. */
const fundings = [
  { consumer: 0, granted: 0n, toppedUp: 400n, wantsRestBack: false },
  { consumer: 1, granted: 25n, toppedUp: 400n, wantsRestBack: true },
  { consumer: 2, granted: 0n, toppedUp: 100n, wantsRestBack: false },
];

const invoices = [0, 1, 2, 3, 4].map((consumer) => {
  const lines = files.flatMap((source) => linesOf(source, consumer));
  return { consumer, lines, micros: sum(lines.map(({ micros }) => micros)) };
});
const gross = sum(invoices.map(({ micros }) => micros));
const fee = gross > feeFreeMicros ? ((gross - feeFreeMicros) * 4n) / 100n : 0n;
const [net, paidFee] = [wholeCents(gross - fee), wholeCents(fee)];

const result = {
  events: files.map(({ file }) => readCalls(file).length).reduce((total, calls) => total + calls),
  invoices: invoices.map(({ consumer, lines, micros }) => ({
    consumer: `consumer-${consumer}`,
    charge_usd: toUsd(micros),
    total_usd: toUsd(wholeCents(micros)),
    balance_paid_usd: toUsd(byBalance(consumer)),
    card_paid_usd: toUsd(wholeCents(micros) - byBalance(consumer)),
    lines: lines.map(({ tool, charge, quantity, micros: amount }) => ({
      tool,
      charge,
      quantity: quantity.toString(),
      amount_usd: toUsd(amount),
    })),
  })),
  balances: fundings.map(balanceOf),
  payout: { period: '2023-11', amount_usd: toUsd(net + paidFee), fee_usd: toUsd(paidFee), net_usd: toUsd(net) },
};
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);

function byBalance(consumer) {
  const { granted = 0n, toppedUp = 0n } = fundings.find((funding) => funding.consumer === consumer) ?? {};
  return least(wholeCents(invoices[consumer].micros), (granted + toppedUp) * 1_000_000n);
}

function balanceOf({ consumer, granted, toppedUp, wantsRestBack }) {
  const [grantedMicros, toppedUpMicros] = [granted * 1_000_000n, toppedUp * 1_000_000n];
  const paid = byBalance(consumer);
  const grantLeft = grantedMicros - least(paid, grantedMicros);
  const topUpLeft = grantedMicros + toppedUpMicros - paid - grantLeft;
  const unused = wholeCents(grantedMicros + toppedUpMicros - invoices[consumer].micros);
  const refunded = wantsRestBack ? least(topUpLeft, unused) : 0n;
  return {
    consumer: `consumer-${consumer}`,
    granted_usd: toUsd(grantedMicros),
    topped_up_usd: toUsd(toppedUpMicros),
    paid_usd: toUsd(paid),
    refunded_usd: toUsd(refunded),
    left_usd: toUsd(grantLeft + topUpLeft - refunded),
  };
}

function least(left, right) {
  return left < right ? left : right;
}

function linesOf({ file, tool }, consumer) {
  const calls = readCalls(file).filter((_, position) => position % 5 === consumer);
  const quantities = {
    calls: BigInt(calls.length),
    context_tokens: sum(calls.map(([, contextTokens]) => BigInt(contextTokens))),
    generated_tokens: sum(calls.map(([, , generatedTokens]) => BigInt(generatedTokens))),
  };
  return Object.entries(quantities).map(([charge, quantity]) => {
    return { tool, charge, quantity, micros: toMicros(quantity * unitPrices[charge]) };
  });
}

function readCalls(file) {
  const [, ...rows] = readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return rows.map((row) => row.split(','));
}

/** Half-even, from 10^-12 dollars. */
function toMicros(pico) {
  const [whole, rest] = [pico / 1_000_000n, pico % 1_000_000n];
  const isUp = rest > 500_000n || (rest === 500_000n && whole % 2n === 1n);
  return isUp ? whole + 1n : whole;
}

function wholeCents(micros) {
  return micros - (micros % 10_000n);
}

function sum(amounts) {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/** The number with exactly these digits: put together as text, never divided. */
function toUsd(micros) {
  const digits = micros.toString().padStart(7, '0');
  return Number(`${digits.slice(0, -6)}.${digits.slice(-6)}`);
}
