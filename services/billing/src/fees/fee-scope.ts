/** Whether the 1,000 USD without a fee are a builder's first ever, or its first of each period. */
export type FeeScope = 'lifetime' | 'month';

/** The key under which a builder's gross is kept, for lines and refunds of this period. */
export function grossKeyOf(scope: FeeScope, period: string): string {
  return scope === 'month' ? period : 'lifetime';
}
