import { textSchema } from '../forms/text-schema.ts';

/** A code of an unlikely form is not malformed: it is wrong, which is 401. */
export const totpCodeSchema = textSchema({ min: 1, max: 20 }).meta({
  description: 'The code that the authenticator app shows now. It works once.',
  examples: ['123456'],
});

export const secondFactorFields = {
  totp_code: totpCodeSchema,
  recovery_code: textSchema({ min: 1, max: 64 }).meta({
    description: 'An unused recovery code, in place of `totp_code`. Case, blanks and hyphens do not matter.',
    examples: ['7Q4ZKX-AB2MNP-WY6RTC-3HJD5E'],
  }),
};
