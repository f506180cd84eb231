import { expect, it } from '@jest/globals';
import { createRecoveryCodes, hashRecoveryCode } from './recovery-code.ts';

it('makes ten different codes of 24 letters and digits', () => {
  const codes = createRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^([A-Z2-7]{6}-){3}[A-Z2-7]{6}$/);
});

it('knows a code however it is typed, and no other', () => {
  const [code = '', other = ''] = createRecoveryCodes();
  const typed = ` ${code.toLowerCase().replaceAll('-', ' ')} `;
  expect(hashRecoveryCode(typed)).toEqual(hashRecoveryCode(code));
  expect(hashRecoveryCode(other)).not.toEqual(hashRecoveryCode(code));
});
