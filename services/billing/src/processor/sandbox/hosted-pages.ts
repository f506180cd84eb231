/** The pages behind the sandbox's links. A real processor would serve them from its own address. */
export interface HostedPages {
  /** Finds the page of a link without using the link up. Undefined if the token is used, expired or unknown. */
  find(kind: PageKind, token: string): Promise<HostedPage | undefined>;
  /** Applies the pressed button, once, and returns the address to go back to. Undefined as in `find`. */
  answerOnboarding(token: string, answer: PageAnswer): Promise<PageReturn | undefined>;
  /** As `answerOnboarding`. */
  answerCardSetup(token: string, setup: CardSetup): Promise<PageReturn | undefined>;
}

export type PageKind = 'onboarding' | 'card_setup';
export type PageAnswer = 'complete' | 'refuse' | 'later';
/** `declined`: the card can be put on file, and each charge of it is declined. */
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
