export interface SignInSearch {
  /** Where one wanted to go: a page of the console, never another site. */
  readonly next?: string;
  /** A session was there, and has ended. */
  readonly ended?: string;
}

/** Reads the query of the page. An address that leads elsewhere is dropped. */
export function readSignInSearch({ next, ended }: Record<string, unknown>): SignInSearch {
  return {
    ...(typeof next === 'string' && isOwnPage(next) && { next }),
    ...(ended === 'yes' && { ended }),
  };
}

function isOwnPage(next: string): boolean {
  return /^\/app(?=$|[/?])(?!.*[\\\s])/.test(next) && !/^\/app\/sign-(in|up)/.test(next);
}
