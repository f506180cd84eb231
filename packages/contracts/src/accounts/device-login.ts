import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { textSchema } from '../forms/text-schema.ts';

export const createDeviceLoginSchema = closedObject({
  client: z
    .string()
    .regex(/^[ -~]{1,80}$/, { error: 'must be 1 to 80 printable ASCII characters' })
    .meta({ description: 'The name of the program on the page: 1 to 80 printable ASCII characters.' }),
}).meta({ id: 'NewDeviceLogin', examples: [{ client: 'tollgate on ada-laptop' }] });

export const deviceLoginSchema = z
  .object({
    device_code: z.string().meta({ description: 'The program keeps it to itself, and asks for its token with it.' }),
    user_code: z.string().meta({ description: 'A person types it into the page.', examples: ['WDJB-MJHT'] }),
    verification_url: z.url().meta({
      description: 'The address of the page.',
      examples: ['https://tollgate.example/device'],
    }),
    expires_in: z.int().meta({ description: 'Seconds until both codes expire.', examples: [600] }),
    interval: z.int().meta({ description: 'Seconds to wait between two requests for the token.', examples: [5] }),
  })
  .meta({ id: 'DeviceLogin' });

const deviceCode = 'device_SGlzIGNvZGUgaXMgc2hvd24gaGVyZSBmb3IgaXRzIGZvcm0';

export const redeemDeviceLoginSchema = closedObject({
  device_code: textSchema({ min: 1, max: 128 }).meta({ description: 'From `createDeviceLogin`. It gives one token.' }),
}).meta({ id: 'DeviceLoginRedemption', examples: [{ device_code: deviceCode }] });

const answerShape = {
  user_code: textSchema({ max: 64 }).meta({ description: 'Case, blanks and hyphens do not matter.' }),
  answer: z.enum(['look', 'approve', 'refuse']),
  email: textSchema({ max: 254 }).default(''),
  password: textSchema({ max: 128 }).default(''),
  code: textSchema({ max: 64 })
    .default('')
    .meta({ description: 'A code of the authenticator app, or a recovery code.' }),
};

/** The form of the page. Empty fields are wrong and not malformed: a browser sends them. */
export const devicePageAnswerSchema = z.object(answerShape).meta({ id: 'DevicePageAnswer' });

export type DevicePageAnswer = z.output<typeof devicePageAnswerSchema>;
export type ApiDeviceLogin = z.infer<typeof deviceLoginSchema>;
