import { z } from 'zod';

const tokenSchema = z.string().min(1).max(128).meta({ description: 'The token of the link. It works once.' });

export const sandboxPageQuerySchema = z.object({ token: tokenSchema });

/** The buttons of a hosted page. */
const answerSchema = z.enum(['complete', 'refuse', 'later']);

export const onboardingAnswerSchema = z
  .object({ token: tokenSchema, answer: answerSchema })
  .meta({ id: 'SandboxOnboardingAnswer' });

export const cardSetupAnswerSchema = z
  .object({
    token: tokenSchema,
    answer: answerSchema,
    card: z.enum(['visa', 'mastercard', 'declined']).default('visa'),
  })
  .meta({ id: 'SandboxCardSetupAnswer' });

/** A webhook only names the object to read again from the processor. */
export const sandboxWebhookSchema = z
  .object({
    id: z.string().min(1).max(255),
    type: z
      .string()
      .min(1)
      .max(255)
      .meta({ examples: ['account.updated'] }),
    created: z.int().meta({ description: 'Seconds since the epoch.' }),
    object_id: z.string().min(1).max(255),
  })
  .meta({ id: 'SandboxWebhook' });

export type OnboardingAnswer = z.output<typeof onboardingAnswerSchema>;
export type CardSetupAnswer = z.output<typeof cardSetupAnswerSchema>;
