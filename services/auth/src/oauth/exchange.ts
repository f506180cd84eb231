import type { Request, Response } from 'express';
import type { Browser, SignInState } from './sign-in-state.ts';

/** One request of a browser, in its interaction. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly browser: Browser;
  /** The parameters of the client's request, as the library has checked them. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Undefined: nobody has signed in, in this browser. */
  readonly state: SignInState | undefined;
}
