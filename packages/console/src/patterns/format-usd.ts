/**
 * Writes an amount of the API for people. It moves characters alone: the digits are the API's, and money is no number to
 * reckon with here.
 */
export function formatUsd(amount: number | string): string {
  const text = String(amount);
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '') return `${text} USD`; // nothing of the API: shown as it is
  return `${sign === '-' ? '\u2212' : ''}$${groupDigits(whole)}.${fraction.padEnd(2, '0')}`;
}

/** Thousands apart: `1234567` is `1,234,567`. Takes the whole numbers and the decimals of the API. */
export function formatQuantity(quantity: number | string): string {
  const [whole = '', fraction] = String(quantity).split('.');
  return fraction === undefined ? groupDigits(whole) : `${groupDigits(whole)}.${fraction}`;
}

function groupDigits(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}
