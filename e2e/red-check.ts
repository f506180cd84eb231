/** One defence that prove-red takes out, and the tests that must then fail. */
export interface RedCheck {
  /** A file of faults/patches/, without its extension. */
  readonly patch: string;
  readonly test: string;
  /** The tests that must fail, each by the beginning of its title, with what its failure must say. */
  readonly red: readonly { readonly title: string; readonly because: RegExp }[];
}
