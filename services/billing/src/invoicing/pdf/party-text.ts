import type { Issuer, Parties, Party } from '../party.ts';

/** One of the two blocks that say who bills whom. */
export interface PartyText {
  readonly label: string;
  readonly name: string;
  readonly lines: readonly string[];
}

export function issuerLines(issuer: Issuer): PartyText {
  return { label: 'Issued by', name: issuer.name, lines: linesOf(issuer) };
}

export interface Buyer {
  readonly email: string;
  readonly consumerId: string;
  readonly parties: Parties | undefined;
}

/** Without billing details the e-mail address stands for the name. */
export function buyerLines({ consumerId, email, parties }: Buyer): PartyText {
  const buyer = parties?.buyer ?? undefined;
  const account = [...(buyer ? [email] : []), consumerId];
  return { label: 'Billed to', name: buyer?.name ?? email, lines: [...(buyer ? linesOf(buyer) : []), ...account] };
}

function linesOf({ address, country, taxId }: Party): string[] {
  return [...address, ...(country === null ? [] : [country]), ...(taxId === null ? [] : [`Tax number ${taxId}`])];
}
