import { eventually } from '@tollgate/testkit/eventually';
import type { HttpClient } from '@tollgate/testkit/http-client';
import { totpCode } from '../audit/totp-code.ts';
import { pressPage } from '@tollgate/testkit/press-button';
import { registerAccount } from '../register-cast.ts';
import { asker } from './asker.ts';
import { payAnInvoice } from './pay-an-invoice.ts';
import type { Reader, Supplied } from './reader.ts';

export interface Surroundings {
  readonly client: HttpClient;
  readonly reader: Reader;
  readonly operatorToken: string;
}

/** Why an example cannot work as it stands, and what the answer is then. */
interface Outside {
  readonly reason: string;
  readonly status: number;
  /** Does what has to happen outside of the document, and returns what it gives. Undefined: this test cannot do it. */
  readonly supply?: (surroundings: Surroundings) => Promise<Supplied>;
}

const paidInvoice = {
  reason: 'the id of a paid invoice, which a service has after the end of a month only',
  status: 404,
} as const;
const codeOfTheApp = {
  reason: 'a code of the authenticator app that has the secret of beginTotp',
  status: 401,
} as const;

/** The examples that need what only a person, another account or the end of a month gives. */
export const givenFromOutside: Readonly<Record<string, Outside>> = {
  requestPasswordReset: { reason: 'a mail server, which SMTP_URL names', status: 404 },
  redeemDeviceLogin: {
    reason: 'the code of createDeviceLogin, which a person has approved at the page',
    status: 400,
    async supply({ client, reader }) {
      const login = reader.answerOf<{ device_code: string; user_code: string }>('/v1/auth/device');
      const credentials = { email: 'ada@example.com', password: 'correct horse battery staple' };
      const form = new URLSearchParams({ user_code: login.user_code, answer: 'approve', ...credentials });
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const { status } = await client('POST', '/device', { headers, rawBody: form.toString() });
      if (status !== 200) throw new Error(`the page answered ${status}`);
      return { body: { device_code: login.device_code } };
    },
  },
  confirmTotp: {
    ...codeOfTheApp,
    supply: async ({ reader }) => ({
      body: { code: totpCode(reader.answerOf<{ secret: string }>('/v1/auth/totp').secret) },
    }),
  },
  // It would end the account of all examples below it.
  closeAccount: { reason: 'the password that changePassword has set', status: 401 },
  replaceRecoveryCodes: { ...codeOfTheApp, supply: recoveryCode('/v1/auth/totp/confirm') },
  removeTotp: { ...codeOfTheApp, supply: recoveryCode('/v1/auth/recovery-codes') },
  createOperatorCode: {
    reason:
      'a code of the authenticator app that `tollgate operator operator-totp` sets up on the machine of the service',
    status: 404,
  },
  getPaymentMethod: {
    reason: 'a person who completes the page behind setup_url',
    status: 404,
    async supply({ client, reader }) {
      const { setup_url: url } = reader.answerOf<{ setup_url: string }>('/v1/billing/payment-method');
      await pressPage(client, url, { card: 'visa' });
      return waitFor(reader, '/v1/billing/payment-method');
    },
  },
  getStatement: {
    reason: 'a call by another account, since a call of an own tool costs nothing',
    status: 404,
    async supply({ client, reader }) {
      const token = await registerAccount(client, 'caller');
      await asker(client, token)('POST', '/v1/events', { tool_id: 'web-search' });
      return waitFor(reader, '/v1/billing/statements');
    },
  },
  checkPass: {
    reason: 'the key of a pass',
    status: 403,
    supply: async ({ reader }) => ({ body: { pass: reader.answerOf<{ key: string }>('/v1/passes').key } }),
  },
  refundInvoice: { ...paidInvoice, supply: async (given) => ({ params: { invoice_id: await payAnInvoice(given) } }) },
  openDispute: {
    ...paidInvoice,
    supply: async ({ reader }) => {
      const refund = reader.answerOf<{ invoice_id: string }>('/v1/operator/invoices/{invoice_id}/refunds');
      return { body: { invoice_id: refund.invoice_id } };
    },
  },
};

async function waitFor(reader: Reader, path: string): Promise<Supplied> {
  await eventually(async () => (await reader.read(path)).status === 200, { withinMs: 20_000 });
  return {};
}

function recoveryCode(path: string) {
  return async ({ reader }: Surroundings): Promise<Supplied> => {
    const [code] = reader.answerOf<{ recovery_codes: readonly string[] }>(path).recovery_codes;
    return { body: { totp_code: undefined, recovery_code: code } };
  };
}
