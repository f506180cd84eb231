import type { Request, Response } from 'express';
import type { Browser, SignInState } from './sign-in-state.ts';

/** One request of a browser to the pages of an interaction, which begin with a sign-in. */
export interface PageExchange {
  readonly request: Request;
  readonly response: Response;
  readonly browser: Browser;
  /** Undefined: nobody has signed in, in this browser. */
  readonly state: SignInState | undefined;
}

/** A request in the interaction of a consent. */
export interface Exchange extends PageExchange {
  /** The parameters of the client's request, as the library has checked them. */
  readonly params: Readonly<Record<string, unknown>>;
}
