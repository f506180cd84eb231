import { Fraction } from './fraction.ts';

/** "5 + 100 × 0.10 + ⌈2,500 ÷ 1,000⌉ × (7 - 4)", exactly. */
export function evaluateArithmetic(text: string): Fraction {
  const tokens = text.match(/[\d.,]+|\S/g) ?? [];
  const value = sum(tokens);
  if (tokens.length > 0) throw new Error(`cannot go on at ${JSON.stringify(tokens.join(' '))} in ${text}`);
  return value;
}

// Each of these takes from the front of `tokens` what it has read.

function sum(tokens: string[]): Fraction {
  let value = product(tokens);
  for (;;) {
    if (take(tokens, '+')) value = value.plus(product(tokens));
    else if (take(tokens, '-')) value = value.minus(product(tokens));
    else return value;
  }
}

function product(tokens: string[]): Fraction {
  let value = factor(tokens);
  for (;;) {
    if (take(tokens, '×')) value = value.times(factor(tokens));
    else if (take(tokens, '÷')) value = value.over(factor(tokens));
    else return value;
  }
}

function factor(tokens: string[]): Fraction {
  if (take(tokens, '-')) return Fraction.zero.minus(factor(tokens));
  if (take(tokens, '(')) return closed(sum(tokens), tokens, ')');
  if (take(tokens, '⌈')) return Fraction.of(closed(sum(tokens), tokens, '⌉').ceiling());
  return Fraction.parse(tokens.shift() ?? '');
}

function closed(value: Fraction, tokens: string[], bracket: string): Fraction {
  if (!take(tokens, bracket)) throw new Error(`${bracket} is missing before ${tokens.join(' ')}`);
  return value;
}

function take(tokens: string[], expected: string): boolean {
  if (tokens[0] !== expected) return false;
  tokens.shift();
  return true;
}
