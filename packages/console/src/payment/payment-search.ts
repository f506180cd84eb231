export interface PaymentSearch {
  /** The page of a consent, from which one came: never another page or site. */
  readonly back?: string;
}

/** Reads the query of the page. An address that leads elsewhere is dropped. */
export function readPaymentSearch({ back }: Record<string, unknown>): PaymentSearch {
  return typeof back === 'string' && /^\/oauth\/interaction\/[\w-]{1,100}$/.test(back) ? { back } : {};
}
