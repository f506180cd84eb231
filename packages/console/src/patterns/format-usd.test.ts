import { expect, it } from '@jest/globals';
import { formatQuantity, formatUsd } from './format-usd.ts';

it.each([
  [0, '$0.00'],
  [5, '$5.00'],
  [0.002, '$0.002'],
  [0.000001, '$0.000001'],
  [12.5, '$12.50'],
  [1234567.891234, '$1,234,567.891234'],
  [-0.3, '\u2212$0.30'],
  ['0.1', '$0.10'],
  ['123456789012345678.000001', '$123,456,789,012,345,678.000001'],
])('shows the amount %s with the digits that the API sent, as %s', (amount, shown) => {
  expect(formatUsd(amount)).toBe(shown);
});

it.each([
  [0, '0'],
  [999, '999'],
  ['1284.25', '1,284.25'],
  ['1000000', '1,000,000'],
])('shows the quantity %s as %s', (quantity, shown) => {
  expect(formatQuantity(quantity)).toBe(shown);
});
