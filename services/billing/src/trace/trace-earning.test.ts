import { describe, expect, it } from '@jest/globals';
import { formatUsd, micros, parseUsd } from '@tollgate/kernel/money';
import fc from 'fast-check';
import { traceEarning } from './trace-earning.ts';

const chargeMicros = parseUsd('0.5');
const open = { chargeMicros, released: [], isWrittenOff: false, grossMicros: parseUsd('0') };

function texts(earning: ReturnType<typeof traceEarning>) {
  return [earning.status, ...(earning.split ? Object.values(earning.split).slice(0, 2).map(formatUsd) : [])];
}

describe('what a call earns', () => {
  it.each<[string, Partial<Parameters<typeof traceEarning>[0]>, string[]]>([
    ['nothing off below 1,000 USD of gross', {}, ['expected', '0.5', '0']],
    ['4 % off above', { grossMicros: parseUsd('1000') }, ['expected', '0.48', '0.02']],
    ['4 % of what is above', { grossMicros: parseUsd('999.9') }, ['expected', '0.484', '0.016']],
    ['nothing where it is written off', { isWrittenOff: true }, ['written_off']],
  ])('is %s', (_what, changes, expected) => {
    expect(texts(traceEarning({ ...open, ...changes }))).toEqual(expected);
  });

  it('is its share of the line that was released, whatever the gross is now', () => {
    const line = { callMicros: chargeMicros, lineMicros: parseUsd('3'), feeMicros: parseUsd('0.1'), releasedAtMs: 5 };
    const earning = traceEarning({ ...open, released: [line], grossMicros: parseUsd('5000') });
    expect(texts(earning)).toEqual(['released', '0.483334', '0.016666']);
    expect(earning.releasedAtMs).toBe(5);
  });

  it('is 0 of a line of 0', () => {
    const line = { callMicros: micros(0n), lineMicros: micros(0n), feeMicros: micros(0n), releasedAtMs: 5 };
    expect(texts(traceEarning({ ...open, chargeMicros: micros(0n), released: [line] }))).toEqual([
      'released',
      '0',
      '0',
    ]);
  });

  it('and its fee are the charge, to the micro-dollar', () => {
    const amount = fc.bigInt({ min: -(10n ** 9n), max: 10n ** 12n }).map(micros);
    const lines = fc.array(fc.record({ callMicros: amount, lineMicros: amount, feeMicros: amount }));
    fc.assert(
      fc.property(amount, amount, lines, (charge, grossMicros, released) => {
        const { split } = traceEarning({
          chargeMicros: charge,
          released: released.map((line) => ({ ...line, releasedAtMs: 1 })),
          isWrittenOff: false,
          grossMicros,
        });
        expect((split?.earningMicros ?? 0n) + (split?.feeMicros ?? 0n)).toBe(charge);
      }),
    );
  });
});
