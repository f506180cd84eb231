/** The id of a reference at Stripe, which is an id or the whole object. Undefined if there is none. */
export function idOfReference(reference: string | { readonly id: string } | null | undefined): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id;
}
