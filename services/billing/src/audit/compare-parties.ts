import type { OwnedObject, Processor } from '../processor/processor.ts';
import type { ExistingMovement } from '../processor/processor.ts';
import { nameOrder, type SettledMovement } from './settled-movement.ts';
import type { Party } from './sql-read-parties.ts';

export interface PartyComparison {
  readonly processor: Processor;
  readonly ours: readonly Party[];
  readonly matched: readonly { readonly ours: SettledMovement; readonly theirs: readonly ExistingMovement[] }[];
}

type Owners = ReadonlyMap<string, string | undefined>;

/**
 * Compares whose the payout accounts and customers are, with us and at the processor, which keeps our reference with each.
 * It does so for those in our books, and for those that money went to or came from.
 */
export async function compareParties({ processor, ours, matched }: PartyComparison): Promise<string[]> {
  const accounts = await readOwners(processor.payoutAccounts.listOwned());
  const customers = await readOwners(processor.customers.listOwned());
  const ownersOf = { transfer: accounts, charge: customers, refund: noOwners };
  return [
    ...ours.flatMap((party) => differingParty(party, party.kind === 'customer' ? customers : accounts)),
    ...matched.flatMap(({ ours: order, theirs }) =>
      theirs.flatMap((their) => differingOwner(order, their, ownersOf[order.kind])),
    ),
  ];
}

/** A refund goes back to its charge, whose owner is compared. */
const noOwners: Owners = new Map();

async function readOwners(owned: AsyncIterable<OwnedObject>): Promise<Owners> {
  const owners = new Map<string, string | undefined>();
  for await (const { objectId, reference } of owned) owners.set(objectId, reference);
  return owners;
}

function differingParty({ kind, objectId, accountId, isInUse }: Party, owners: Owners): string[] {
  const party = `${kind} ${objectId} of ${accountId}`;
  if (!owners.has(objectId)) return isInUse ? [`${party}: the processor has none`] : [];
  const owner = owners.get(objectId);
  return owner === accountId ? [] : [`${party}: at the processor it is of ${owner ?? 'nobody that we know'}`];
}

/** An account that was deleted at the processor has no owner any more, so its old movements cannot be compared. */
function differingOwner(order: SettledMovement, { partyId = '' }: ExistingMovement, owners: Owners): string[] {
  const owner = owners.get(partyId);
  if (!owners.has(partyId) || owner === order.ownerId) return [];
  return [`${nameOrder(order)} is of ${order.ownerId}, but ${partyId} is of ${owner ?? 'nobody that we know'}`];
}
