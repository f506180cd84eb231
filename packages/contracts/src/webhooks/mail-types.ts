/** Mails that nobody can switch off: the law wants them, or the security of the account. */
export const mailedAlways = ['invoice.issued', 'invoice.payment_failed', 'api_key.created'] as const;

/** Mails that an account may switch off. */
export const mailedUnlessRefused = [
  'payout.paid',
  'payout.failed',
  'spending.threshold_reached',
  'spending.limit_reached',
  'webhook_endpoint.disabled',
] as const;

export type OptionalMail = (typeof mailedUnlessRefused)[number];
