import { z } from 'zod';
import { knownPasswordSchema } from './accounts.ts';
import { closedObject } from '../forms/closed-object.ts';
import { optional } from '../forms/optional.ts';
import { secondFactorFields, totpCodeSchema } from './second-factor-fields.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';

const password = 'correct horse battery staple';

export const beginTotpSchema = closedObject({ password: knownPasswordSchema }).meta({
  id: 'NewTotp',
  examples: [{ password }],
});

export const begunTotpSchema = z
  .object({
    secret: z.string().meta({ description: 'The shared secret in Base32, to type in. No later answer contains it.' }),
    otpauth_uri: z.string().meta({ description: 'The same for a QR code: SHA-1, 6 digits, 30 seconds.' }),
  })
  .meta({ id: 'BegunTotp' });

export const confirmTotpSchema = closedObject({ code: totpCodeSchema }).meta({
  id: 'TotpConfirmation',
  examples: [{ code: '123456' }],
});

/** The password with a code, for what weakens or renews the second factor. */
export const secondFactorProofSchema = closedObject({
  password: knownPasswordSchema,
  totp_code: optional(secondFactorFields.totp_code),
  recovery_code: optional(secondFactorFields.recovery_code),
}).meta({ id: 'SecondFactorProof', examples: [{ password, totp_code: '123456' }] });

export const createOperatorCodeSchema = closedObject({ code: totpCodeSchema }).meta({
  id: 'NewOperatorCode',
  examples: [{ code: '123456' }],
});

export const operatorCodeSchema = z
  .object({
    operator_code: z.string().meta({ description: 'Send it as `Tollgate-Operator-Code`, with the same token.' }),
    expires_in: z.int().meta({ description: 'Seconds until it expires.', examples: [600] }),
  })
  .meta({ id: 'OperatorCode' });

export const recoveryCodesSchema = z
  .object({
    recovery_codes: z.array(z.string()).meta({
      description: 'Ten codes; each replaces one `totp_code`, once. No later answer contains them.',
      examples: [['7Q4ZKX-AB2MNP-WY6RTC-3HJD5E']],
    }),
  })
  .meta({ id: 'RecoveryCodes' });

export const totpStateSchema = z
  .object({
    enabled: z.boolean().meta({ description: 'Whether a sign-in needs a second factor.' }),
    confirmed_at: isoTimeSchema.nullable().meta({ description: 'When it was turned on; null if it is off.' }),
    recovery_codes_left: z.int().min(0).meta({ description: 'How many recovery codes are unused.' }),
  })
  .meta({ id: 'TotpState' });

export type BeginTotpRequest = z.infer<typeof beginTotpSchema>;
export type SecondFactorProof = z.infer<typeof secondFactorProofSchema>;
export type TotpState = z.infer<typeof totpStateSchema>;
