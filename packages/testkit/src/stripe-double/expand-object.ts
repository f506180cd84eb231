import { expandField, type Fields } from './read-fields.ts';
import { badParameter } from './stripe-refusal.ts';
import type { StripeState } from './stripe-state.ts';

/** Replaces the ids that the call wants expanded by their objects, as Stripe does. */
export function expandObject(state: StripeState, fields: Fields, answer: object): object {
  const paths = Object.entries(fields).flatMap(([name, path]) => (expandField.test(name) ? [path] : []));
  return paths.reduce((expanded: object, path) => expandPath(state, path.split('.'), expanded), answer);
}

function expandPath(state: StripeState, [name, ...rest]: readonly string[], object: object): object {
  if (name === undefined) return object;
  const held = Object.entries(object).find(([key]) => key === name);
  if (!held) throw badParameter('parameter_invalid', `expand ${name}`);
  const value: unknown = held[1];
  if (value === null) return object;
  if (Array.isArray(value)) return { ...object, [name]: value.map((each: object) => expandPath(state, rest, each)) };
  const whole = typeof value === 'string' ? findObject(state, value) : undefined;
  if (!whole) throw badParameter('parameter_invalid', `expand ${name}`);
  return { ...object, [name]: expandPath(state, rest, whole) };
}

function findObject({ charges, balanceTransactions }: StripeState, id: string): object | undefined {
  return charges.get(id) ?? balanceTransactions.get(id);
}
