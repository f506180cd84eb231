import { badParameter } from './stripe-refusal.ts';

/** Fields by their names as sent, such as `capabilities[transfers][requested]`. */
export type Fields = Readonly<Record<string, string>>;

export const listFields = [/^limit$/, /^starting_after$/, /^created\[(gte|lt)\]$/];
export const expandField = /^expand\[\d\]$/;
export const metadataField = /^metadata\[(\w+)\]$/;

export function required(fields: Fields, name: string): string {
  const value = fields[name];
  if (value === undefined || value === '') throw badParameter('parameter_missing', name);
  return value;
}

/** Reads an amount: whole cents above zero, in dollars. */
export function amountOf(fields: Fields): number {
  if (fields['currency'] !== undefined && fields['currency'] !== 'usd')
    throw badParameter('parameter_invalid', 'currency');
  const amount = required(fields, 'amount');
  if (!/^[1-9]\d{0,11}$/.test(amount)) throw badParameter('parameter_invalid_integer', 'amount');
  return Number(amount);
}

export function metadataOf(fields: Fields): Record<string, string> {
  const entries = Object.entries(fields).flatMap(([name, value]) => {
    const key = metadataField.exec(name)?.[1];
    return key === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(entries);
}
