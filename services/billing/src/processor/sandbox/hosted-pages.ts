/** The sandbox's pages behind its links: what a processor would serve from its own address. */
export interface HostedPages {
  /** Undefined: the token is used, expired, or was never given out. Looking does not use it up. */
  find(kind: PageKind, token: string): Promise<HostedPage | undefined>;
  /** Does what the button says, once; and where to go back to. Undefined as with `find`. */
  answerOnboarding(token: string, answer: PageAnswer): Promise<PageReturn | undefined>;
  answerCardSetup(token: string, setup: CardSetup): Promise<PageReturn | undefined>;
}

export type PageKind = 'onboarding' | 'card_setup';
export type PageAnswer = 'complete' | 'refuse' | 'later';
/** `declined`: it can be put on file, and every charge of it is declined. */
export type CardName = 'visa' | 'mastercard' | 'declined';

export interface CardSetup {
  readonly answer: PageAnswer;
  readonly card: CardName;
}

export interface HostedPage {
  readonly objectId: string;
  readonly returnUrl: string;
  readonly expiresAtMs: number;
}

export interface PageReturn {
  readonly returnUrl: string;
}
