import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { publicNameSchema } from '../forms/public-name.ts';
import { idSchema } from '../forms/id.ts';
import { listSchema } from '../forms/lists.ts';
import { optional } from '../forms/optional.ts';
import { secondFactorFields } from './second-factor-fields.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';
import { textSchema } from '../forms/text-schema.ts';

const emailLengthMax = 254;
const passwordLengthMin = 8;
const passwordLengthMax = 128;

/** The syntax of HTML's `input type=email` (WHATWG), here with the blanks around it that are cut. */
const emailPattern =
  /^[ \t\r\n]*[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*[ \t\r\n]*$/;

/** An e-mail address, trimmed and in lower case. The limit holds before the blanks are cut, as the description says. */
export const emailSchema = z
  .string()
  .max(emailLengthMax, { error: `must have at most ${emailLengthMax} characters`, abort: true })
  .regex(emailPattern, { error: 'must be an e-mail address' })
  .transform((email) => email.trim().toLowerCase())
  .meta({ description: 'Trimmed and lower-cased.', examples: ['ada@example.com'] });

/**
 * A new password is used as sent: it is neither trimmed nor normalised. Auth applies the rules that are no schema: a
 * longer `PASSWORD_MIN_LENGTH`, and passwords that anybody would guess.
 */
const newPasswordSchema = textSchema({ min: passwordLengthMin, max: passwordLengthMax }).meta({
  description:
    'Used exactly as sent. A password is refused if it is a common one, blanks alone, our name with a few characters, or the e-mail.',
  examples: ['correct horse battery staple'],
});

/** A password that is compared. A short one is not malformed: it is wrong, which is 401. */
export const knownPasswordSchema = textSchema({ min: 1, max: passwordLengthMax }).meta({
  description: 'Compared exactly as sent.',
});

/** Registers once, and then signs in. */
const credentials = { email: 'ada@example.com', password: 'correct horse battery staple' };

export const registerSchema = z
  .object({ email: emailSchema, password: newPasswordSchema })
  .meta({ id: 'NewCredentials', description: 'E-mail and password of a new account.', examples: [credentials] });

export const loginSchema = z
  .object({
    email: emailSchema,
    password: knownPasswordSchema,
    totp_code: optional(secondFactorFields.totp_code),
    recovery_code: optional(secondFactorFields.recovery_code),
  })
  .meta({
    id: 'Credentials',
    description: 'E-mail and password. An account with a second factor sends one of its codes as well.',
    examples: [credentials],
  });

export const changePasswordSchema = z
  .object({
    current_password: knownPasswordSchema,
    new_password: newPasswordSchema,
    revoke_api_keys: z.boolean().default(false).meta({ description: 'Whether all API keys of the account end, too.' }),
  })
  .meta({
    id: 'PasswordChange',
    examples: [{ current_password: credentials.password, new_password: 'another horse battery staple' }],
  });

export const accessTokenSchema = z
  .object({
    access_token: z.string().meta({ description: 'A JWT (ES256).' }),
    token_type: z.literal('Bearer').meta({ description: 'The scheme of the `Authorization` header.' }),
    expires_in: z
      .int()
      .min(1)
      .meta({ description: 'Seconds until it expires.', examples: [3600] }),
  })
  .meta({ id: 'AccessToken', description: 'Send it as `Authorization: Bearer <access_token>`.' });

export const accountSchema = z
  .object({
    account_id: idSchema.meta({ description: 'The id of the account: `consumer_id` of its calls.' }),
    email: z.string().meta({ description: 'Trimmed and lower-cased.' }),
    email_verified: z.boolean().meta({
      description: 'Whether its owner has followed a link that came there by mail. Nothing is refused for want of it.',
    }),
    email_bounced_at: isoTimeSchema.nullable().meta({
      description:
        'When a mail server said that the address takes no mail. Then none is sent there, until its owner follows a link that came there. Null: it takes mail, as far as is known.',
    }),
    public_name: z
      .string()
      .nullable()
      .meta({
        description: 'The name by which people know who sells its tools. Nobody has verified it. Null: it has none.',
        examples: ['Weather House'],
      }),
    operator: z
      .boolean()
      .meta({ description: 'Whether its browsers open the operator’s routes, with a second factor.' }),
    created_at: isoTimeSchema,
  })
  .meta({ id: 'Account' });

export const updateAccountSchema = closedObject({
  public_name: publicNameSchema.nullable().meta({
    description:
      'The name by which people know who sells its tools; `null` removes it. It may look like the name of no other account.',
  }),
}).meta({ id: 'AccountUpdate', examples: [{ public_name: 'Weather House' }] });

export const sessionSchema = z
  .object({
    id: idSchema,
    kind: z
      .enum(['token', 'browser'])
      .meta({ description: 'Whether its caller holds a token, or its browser a cookie.' }),
    created_at: isoTimeSchema.meta({ description: 'When it began, by a registration or a sign-in.' }),
    refreshed_at: isoTimeSchema.meta({
      description: 'When it got its newest token; of a browser, its last use, to a minute or two.',
    }),
    ends_at: isoTimeSchema.meta({ description: 'When it ends at the latest. Neither a refresh nor a use extends it.' }),
    current: z.boolean().meta({ description: 'Whether this request belongs to it.' }),
  })
  .meta({ id: 'Session' });

export const sessionListSchema = listSchema({ id: 'SessionList', name: 'sessions', item: sessionSchema });

export const jwksSchema = z
  .object({
    keys: z.array(
      z.looseObject({
        kty: z.literal('EC'),
        crv: z.literal('P-256'),
        x: z.string(),
        y: z.string(),
        kid: z.string(),
        alg: z.literal('ES256'),
        use: z.literal('sig'),
      }),
    ),
  })
  .meta({ id: 'JsonWebKeySet', description: 'The public halves of the signing keys (RFC 7517).' });

export type RegisterRequest = z.infer<typeof registerSchema>;
export type LoginRequest = z.infer<typeof loginSchema>;
export type UpdateAccountRequest = z.output<typeof updateAccountSchema>;
export type ChangePasswordRequest = z.infer<typeof changePasswordSchema>;
export type AccessToken = z.infer<typeof accessTokenSchema>;
export type Session = z.infer<typeof sessionSchema>;
export type Account = z.infer<typeof accountSchema>;
export type JsonWebKeySet = z.infer<typeof jwksSchema>;
