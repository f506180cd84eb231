import type { CardName } from './hosted-pages.ts';

export interface SandboxCard {
  readonly brand: string;
  readonly last4: string;
}

/** The sandbox's cards, with the last digits of Stripe's test cards of the same kind. */
export const sandboxCards: Readonly<Record<CardName, SandboxCard>> = {
  visa: { brand: 'visa', last4: '4242' },
  mastercard: { brand: 'mastercard', last4: '4444' },
  declined: { brand: 'visa', last4: '0341' },
};

/** The last digits of the card that can be put on file but declines each charge. */
export const decliningLast4 = sandboxCards.declined.last4;
