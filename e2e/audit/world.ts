import { randomUUID } from 'node:crypto';
import type { InvoiceList } from '@tollgate/contracts/money/invoices';
import { eventually } from '@tollgate/testkit/eventually';
import type { HttpClient } from '@tollgate/testkit/http-client';
import type { Product } from '../open-product.ts';
import { pressPage } from '@tollgate/testkit/press-button';

export const operatorToken = randomUUID();

/** The objects of the matrix's acts. The owner has a card, a payout account and a paid invoice. */
export interface World {
  readonly ownerId: string;
  readonly ownerEmail: string;
  readonly ownerPassword: string;
  readonly ownerToken: string;
  readonly keyId: string;
  /** Another session of the owner. */
  readonly sessionId: string;
  readonly slug: string;
  readonly paidInvoiceId: string;
  readonly openInvoiceId: string;
  readonly passId: string;
  /** The id of the refund that an act has made. */
  creditNoteId: string;
  /** The codes of the last answer that had some. */
  recoveryCodes: readonly string[];
}

export async function createWorld({ client }: Product): Promise<World> {
  const ask = asker(client);
  const [owner, debtor, builder] = [await ask.register(), await ask.register(), await ask.register()];
  const slug = `tool-${randomUUID()}`;
  await ask.post(owner.token, '/v1/tools', { slug, name: slug, price: { per_call_usd: '10' } });
  const called = `tool-${randomUUID()}`;
  await ask.post(builder.token, '/v1/tools', { slug: called, name: called, price: { per_call_usd: '10' } });
  for (const { token } of [owner, debtor]) await ask.post(token, '/v1/events', { tool_id: called });
  const back = { return_url: 'https://example.com/back' };
  const setup = await ask.post<{ setup_url: string }>(owner.token, '/v1/billing/payment-method', back);
  await ask.press(setup.setup_url, { card: 'visa' });
  const link = await ask.post<{ connect_url: string }>(owner.token, '/v1/billing/connect', back);
  await ask.press(link.connect_url);
  await eventually(async () => (await client('GET', '/v1/billing/payment-method', owner)).status === 200, {
    withinMs: 10_000,
  });
  await ask.post(operatorToken, '/v1/sandbox/clock', { now: '2026-11-03T12:00:00Z' });
  const again = await ask.signIn(owner);
  const { id: keyId } = await ask.post<{ id: string }>(again.token, '/v1/api-keys', { name: 'a key' });
  const pass = { name: 'agent', tools: '*' };
  const { id: passId } = await ask.post<{ id: string }>(again.token, '/v1/passes', pass);
  const other = await ask.signIn(owner);
  const { body } = await client<{ sessions: { id: string; current: boolean }[] }>('GET', '/v1/auth/sessions', other);
  return {
    ownerId: owner.id,
    ownerEmail: owner.email,
    ownerPassword: owner.password,
    ownerToken: other.token,
    keyId,
    sessionId: body.sessions.find(({ current }) => !current)?.id ?? '',
    slug,
    passId,
    creditNoteId: '',
    recoveryCodes: [],
    paidInvoiceId: await ask.invoice(again.token, 'paid'),
    openInvoiceId: await ask.invoice((await ask.signIn(debtor)).token, 'open'),
  };
}

function asker(client: HttpClient) {
  async function post<Body>(token: string | undefined, path: string, body: object): Promise<Body> {
    const answer = await client<Body>('POST', path, { ...(token !== undefined && { token }), body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }

  return {
    post,
    async register() {
      const email = `${randomUUID()}@example.com`;
      const password = `${randomUUID()} horse`;
      const { access_token: token } = await post<Token>(undefined, '/v1/auth/register', { email, password });
      const { body } = await client<{ account_id: string }>('GET', '/v1/auth/me', { token });
      return { id: body.account_id, email, password, token };
    },
    async signIn({ email, password }: { readonly email: string; readonly password: string }) {
      const { access_token: token } = await post<Token>(undefined, '/v1/auth/login', { email, password });
      return { token };
    },
    press: (url: string, more?: Record<string, string>) => pressPage(client, url, more),
    async invoice(token: string, status: string): Promise<string> {
      let id: string | undefined;
      const isThere = async () => {
        const { invoices } = (await client<InvoiceList>('GET', '/v1/billing/invoices', { token })).body;
        id = invoices.find((each) => each.status === status)?.id;
        if (id === undefined) throw new Error(`no ${status} invoice among ${JSON.stringify(invoices)}`);
        return true;
      };
      await eventually(isThere, { withinMs: 20_000 });
      return id ?? '';
    },
  };
}

interface Token {
  readonly access_token: string;
}
