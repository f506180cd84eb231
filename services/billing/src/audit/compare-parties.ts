import { toIso } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type {
  OwnedObject,
  Processor,
  ExistingMovement,
  ProcessorDispute,
  TimeWindow,
  PaymentMethod,
} from '../processor/processor.ts';
import { nameOrder, type SettledMovement, type Party, type BookedDispute } from './sql-read-settled-movements.ts';
import { usd, differing, ifFound } from './compare-movement.ts';
import { findKnownDisputes } from './sql-read-inbox.ts';

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

export interface DisputeComparison {
  readonly database: Database;
  readonly processor: Processor;
  readonly window: TimeWindow;
  readonly ours: readonly BookedDispute[];
}

/** Compares our disputes with the processor's, and names those of the window that are not in our books. */
export async function compareDisputes({ database, processor, window, ours }: DisputeComparison): Promise<string[]> {
  const theirs = new Map<string, ProcessorDispute>();
  for await (const dispute of processor.disputes.list(window)) theirs.set(dispute.objectId, dispute);
  const known = await database.transaction((tx) => findKnownDisputes(tx, processor.name, [...theirs.keys()]));
  const rows = [...theirs.values()].filter(({ objectId }) => !known.has(objectId)).map(nameUnknown);
  for (const dispute of ours) {
    const their = theirs.get(dispute.objectId) ?? (await ifFound(processor.disputes.read(dispute.objectId)));
    rows.push(...compareDispute(dispute, their));
  }
  return rows;
}

function nameUnknown({ objectId, amountCents, chargeObjectId }: ProcessorDispute): string {
  return `dispute ${objectId} of ${usd(amountCents)} on charge ${chargeObjectId}: we do not have it`;
}

function compareDispute(ours: BookedDispute, their: ProcessorDispute | undefined): string[] {
  const dispute = `dispute ${ours.objectId}`;
  if (!their) return [`${dispute} of ${usd(ours.amountCents)}: the processor has none`];
  const differences = [
    ...differing('it is', describe(ours), describe(their)),
    ...(ours.charges.includes(their.chargeObjectId)
      ? []
      : differing('it is of', ours.charges.join(), their.chargeObjectId)),
    ...differing('it took', usd(takenWithUs(ours)), usd(their.takenCents)),
    ...(ours.feeCents === null ? [] : differing('its fee is', usd(ours.feeCents), usd(their.feeCents))),
    ...differing('it was opened at', toIso(ours.openedAtMs), toIso(their.createdAtMs)),
  ];
  return differences.map((difference) => `${dispute}: ${difference}`);
}

function describe({ amountCents, status }: Pick<ProcessorDispute, 'amountCents'> & { status: string }): string {
  return `of ${usd(amountCents)} and ${status}`;
}

/** While a dispute is open, its money is disputed. Once it is closed, the ledger has it as refunds. */
function takenWithUs({ status, takenCents, refundedCents }: BookedDispute): bigint {
  return status === 'open' ? takenCents : refundedCents;
}

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
    const differences = differing('its card is', describeCard(card), describeCard(theirs));
    rows.push(...differences.map((difference) => `customer ${objectId} of ${accountId}: ${difference}`));
  }
  return { rows, left: Math.max(0, parties.length - customersMax) };
}

function describeCard(card: PaymentMethod | undefined): string {
  if (!card) return 'none';
  const { paymentMethodId, brand, last4, expMonth, expYear } = card;
  return `${paymentMethodId} (${brand} ${last4}, ${expMonth}/${expYear})`;
}
