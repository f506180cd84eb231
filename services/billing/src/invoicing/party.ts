/** The party that is billed, as printed. */
export interface Party {
  readonly name: string;
  /** The lines of the postal address, without the country. */
  readonly address: readonly string[];
  readonly country: string | null;
  readonly taxId: string | null;
}

/** The details that a consumer wants on its next invoices. */
export type BuyerDetails = Party & { readonly country: string };

/** The issuer of invoices, by the settings. */
export interface Issuer extends Party {
  /** Why the invoice has no tax. */
  readonly taxNote: string;
}

/** The issuer if the settings name none. */
export const defaultIssuer: Issuer = {
  name: 'Tollgate',
  address: [],
  country: null,
  taxId: null,
  taxNote: 'No tax is charged on this invoice.',
};

/** Both parties of an invoice, as they were when it was issued. */
export interface Parties {
  readonly issuer: Issuer;
  /** Null: the consumer had given no billing details. */
  readonly buyer: Party | null;
}
