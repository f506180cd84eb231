import { z } from 'zod';

/** Settings of the services that write mails or order them. */
export const mailSettings = {
  MAIL_SECRET: z
    .string()
    .min(32)
    .optional()
    .describe(
      'Secret of at least 32 characters for mail, the same for `auth` and `notifier`: it seals the links of letters in the database, and signs those that end a subscription. With it, `auth` offers what needs mail; the notifier needs SMTP_URL then, and both PUBLIC_URL.',
    ),
};
