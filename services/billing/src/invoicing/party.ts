/** Who is billed, as printed. */
export interface Party {
  readonly name: string;
  /** The lines of the postal address, without the country. */
  readonly address: readonly string[];
  readonly country: string | null;
  readonly taxId: string | null;
}

/** What a consumer wants on its next invoices. */
export type BuyerDetails = Party & { readonly country: string };

/** Who bills, by the settings. */
export interface Issuer extends Party {
  /** Why the invoice has no tax. */
  readonly taxNote: string;
}

/** Who bills if the settings name nobody. */
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
