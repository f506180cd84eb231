import type { Schemas } from '@tollgate/sdk/edge';
import type { Stream } from '../charts/flow.tsx';
import { formatUsd } from '../patterns/format-usd.ts';

type Statement = Schemas['Statement'];

/** A station on the way of a payout's money, with its sum in the ledger. */
export interface Station {
  readonly name: string;
  readonly usd: number;
  readonly says: string;
}

/** The stations of the money of a payout, from its consumers to the account of its builder. Every sum is the statement's. */
export function stationsOf(statement: Statement): Station[] {
  const { charge_usd: charged, fee_usd: fee, earning_usd: earned, processor_fees_usd: processor } = statement;
  return [
    { name: 'Charged', usd: charged, says: 'Collected from the consumers for calls of your tools.' },
    { name: 'Platform fee', usd: fee, says: 'Stays with the platform.' },
    { name: 'Your earning', usd: earned, says: 'The charge less the fee.' },
    { name: 'Carried in', usd: statement.carried_in.earning_usd, says: 'Left from earlier payouts.' },
    { name: 'Processor fees', usd: processor, says: 'The payment processor takes them.' },
    { name: 'Paid out', usd: statement.payout.net_usd, says: 'Goes to your payout account.' },
    { name: 'Carried out', usd: statement.carried_out.earning_usd, says: 'Stays for the next payout.' },
  ];
}

/** The streams between the stations, as far as there is money in them. A sum below 0 has no width, and is in the table. */
export function streamsOf(statement: Statement): Stream[] {
  const widths = new Map(stationsOf(statement).map(({ name, usd }) => [name, usd]));
  const stream = (from: string, to: string, ofStation: string): Stream => ({
    from,
    to,
    width: widths.get(ofStation) ?? 0,
  });
  return [
    stream('Charged', 'Platform fee', 'Platform fee'),
    stream('Charged', 'Your earning', 'Your earning'),
    stream('Carried in', 'Your earning', 'Carried in'),
    stream('Your earning', 'Processor fees', 'Processor fees'),
    stream('Your earning', 'Paid out', 'Paid out'),
    stream('Your earning', 'Carried out', 'Carried out'),
  ].filter(({ width }) => width > 0);
}

/** The sums as the flow shows them. */
export function saidOf(statement: Statement): Record<string, string> {
  return Object.fromEntries(stationsOf(statement).map(({ name, usd }) => [name, formatUsd(usd)]));
}
