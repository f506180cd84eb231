import type { PaymentMethod, Processor } from '../processor/processor.ts';
import { differing } from './differing.ts';
import { ifFound } from './if-found.ts';
import type { Party } from './sql-read-parties.ts';

/** The processor is asked once a customer. The sweep asks for all, some at a time. */
const customersMax = 200;

export interface ComparedCards {
  readonly rows: readonly string[];
  /** Customers whose cards were not compared. */
  readonly left: number;
}

/** Compares the cards that we show with those that the processor has on file, of these customers. */
export async function compareCards(
  { customers }: Pick<Processor, 'customers'>,
  parties: readonly Party[],
): Promise<ComparedCards> {
  const rows: string[] = [];
  for (const { objectId, accountId, card } of parties.slice(0, customersMax)) {
    const theirs = await ifFound(customers.readPaymentMethod(objectId));
    const differences = differing('its card is', describe(card), describe(theirs));
    rows.push(...differences.map((difference) => `customer ${objectId} of ${accountId}: ${difference}`));
  }
  return { rows, left: Math.max(0, parties.length - customersMax) };
}

function describe(card: PaymentMethod | undefined): string {
  if (!card) return 'none';
  const { paymentMethodId, brand, last4, expMonth, expYear } = card;
  return `${paymentMethodId} (${brand} ${last4}, ${expMonth}/${expYear})`;
}
