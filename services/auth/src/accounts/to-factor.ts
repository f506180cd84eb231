import type { PresentedFactor } from './begin-session.ts';

/** People type either code into one field of a page. An empty field is no code. */
export function toFactor(code: string): PresentedFactor {
  const typed = code.replaceAll(/\s/g, '');
  if (typed === '') return {};
  return /^\d{6}$/.test(typed) ? { totpCode: typed } : { recoveryCode: typed };
}
