import { bookBalance } from './book-balance.ts';
import { listNewestFirst } from './list-newest-first.ts';
import { listEndpoint, oneEndpoint } from './read-endpoints.ts';
import { amountOf, listFields, metadataField, metadataOf, required, type Fields } from './read-fields.ts';
import type { StripeEndpoint } from './stripe-endpoint.ts';
import { badParameter, notPossible } from './stripe-refusal.ts';
import { createStripeId, type DoubleTransfer } from './stripe-state.ts';
import type { StripeWorld } from './stripe-world.ts';

/** Transfers to connected accounts, and their reversals. */
export const transferEndpoints: readonly StripeEndpoint[] = [
  {
    method: 'POST',
    path: /^\/v1\/transfers$/,
    fields: [/^(amount|currency|destination|transfer_group)$/, metadataField],
    answer: createTransfer,
  },
  {
    method: 'GET',
    path: /^\/v1\/transfers$/,
    fields: [...listFields, /^transfer_group$/],
    answer: ({ state }, fields) => listNewestFirst(state.transfers.values(), fields, ['transfer_group']),
  },
  oneEndpoint('transfers', { param: 'transfer' }),
  listEndpoint('disputes'),
  oneEndpoint('disputes', { param: 'dispute' }),
];

function createTransfer({ state, happened }: StripeWorld, fields: Fields): DoubleTransfer {
  const amount = amountOf(fields);
  required(fields, 'currency');
  const destination = required(fields, 'destination');
  const account = state.accounts.get(destination);
  if (!account) throw badParameter('resource_missing', 'destination');
  if (account.capabilities.transfers !== 'active') {
    const message = 'Your destination account needs to have at least one of the following capabilities: transfers.';
    throw notPossible('insufficient_capabilities_for_transfer', message);
  }
  if (state.platform.settlement.currency !== 'usd' || amount > state.balanceCents)
    throw notPossible('balance_insufficient', 'You have insufficient available funds in your Stripe account.');
  const id = createStripeId('tr');
  const transfer = {
    id,
    object: 'transfer',
    created: state.nowSeconds(),
    amount,
    amount_reversed: 0,
    currency: 'usd',
    destination,
    transfer_group: fields['transfer_group'] ?? null,
    metadata: metadataOf(fields),
    balance_transaction: bookBalance(state, { type: 'transfer', amount: -amount, source: id }),
    reversed: false,
  } as const;
  state.transfers.set(id, transfer);
  happened('transfer.created', { object: transfer });
  return transfer;
}
