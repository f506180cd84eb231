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
 * It does so for those in our books, and for those that money went to or came from: no money may have moved for a party that
 * is in none of our rows.
 */
export async function compareParties({ processor, ours, matched }: PartyComparison): Promise<string[]> {
  const accounts = await readOwners(processor.payoutAccounts.listOwned());
  const customers = await readOwners(processor.customers.listOwned());
  const ownersOf = { transfer: accounts, charge: customers, refund: noOwners };
  const known = new Set(ours.map(({ objectId, accountId }) => partyKey(objectId, accountId)));
  return [
    ...ours
      .filter(({ isPast }) => !isPast)
      .flatMap((party) => differingParty(party, party.kind === 'customer' ? customers : accounts)),
    ...matched.flatMap(({ ours: order, theirs }) =>
      theirs.flatMap((their) => differingOwner(order, their, { owners: ownersOf[order.kind], known })),
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

interface KnownOwners {
  readonly owners: Owners;
  /** Every party of our books with its account, past ones included. */
  readonly known: ReadonlySet<string>;
}

/** An account that was deleted at the processor has no owner there any more, so our own rows say whose it was. */
function differingOwner(
  order: SettledMovement,
  { partyId }: ExistingMovement,
  { owners, known }: KnownOwners,
): string[] {
  if (order.ownerId === null || partyId === undefined) return [];
  const isOfOwner = `${nameOrder(order)} is of ${order.ownerId}, but ${partyId}`;
  if (owners.has(partyId)) {
    const owner = owners.get(partyId);
    return owner === order.ownerId ? [] : [`${isOfOwner} is of ${owner ?? 'nobody that we know'}`];
  }
  return known.has(partyKey(partyId, order.ownerId)) ? [] : [`${isOfOwner} is no account or customer that it ever had`];
}

function partyKey(objectId: string, accountId: string): string {
  return `${objectId} ${accountId}`;
}
