/** One defence that prove-red takes out, and the tests that must then fail. */
export interface RedCheck {
  /** A file of faults/patches/, without its extension. */
  readonly patch: string;
  readonly test: string;
  /** The tests that must fail, each by the beginning of its title, with what its failure must say. */
  readonly red: readonly { readonly title: string; readonly because: RegExp }[];
}

type Reds = readonly [title: string, because: RegExp, ...more: (string | RegExp)[]];

/** The red checks of one test file: of each its patch, then the tests that must fail by title and reason. */
export function redIn(test: string, checks: readonly (readonly [patch: string, ...reds: Reds])[]): RedCheck[] {
  return checks.map(([patch, ...reds]) => {
    const red = [];
    for (let at = 0; at < reds.length; at += 2)
      red.push({ title: reds[at] as string, because: reds[at + 1] as RegExp });
    return { patch, test, red };
  });
}
