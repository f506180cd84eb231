import { AppError } from '@tollgate/kernel/app-error';
import { toIso, type Clock } from '@tollgate/kernel/clock';
import { onlyRow, type Database } from '@tollgate/database/database';
import type { PageKind } from './hosted-pages.ts';
import type { Customers, HostedLink, KeyedObject, OwnedObject, PayoutAccounts, Processor } from '../processor.ts';
import { fromDbCard, type DbCard } from '../sql-customers.ts';
import { createReadSandboxBalance, createSandboxOwnPayouts } from './sandbox-own-payouts.ts';
import { createSandboxDisputes } from './sandbox-disputes.ts';
import { createSandboxEvents, foundRow, createSandboxId } from './sandbox-events.ts';
import { createSandboxLink } from './sandbox-link.ts';
import { chargeRules, createTransferRules, refundRules } from './sandbox-movement-rules.ts';
import { createSandboxMovements } from './sandbox-movements.ts';

export interface SandboxProcessorOptions {
  /** The sandbox's own connections. It counts as another party, and its callers may hold some of ours. */
  readonly database: Database;
  readonly clock: Clock;
  /** How late a scripted `delay` answers. 5 s if not given. */
  readonly delayMs?: number;
  /** The platform's deposit. Default: a million dollars. */
  readonly fundsCents?: bigint;
}

const linkLifeMs = 3_600_000;
export const defaultFundsCents = 100_000_000n;

// The update changes nothing. It makes the statement return the existing row of a repeated key.
const createAccountText = `
insert into sandbox.account (account_id, idempotency_key, reference, created_at) values ($1, $2, $3, $4)
on conflict (idempotency_key) do update set idempotency_key = excluded.idempotency_key
returning account_id as id, reference`;

const createCustomerText = `
insert into sandbox.customer (customer_id, idempotency_key, reference, created_at) values ($1, $2, $3, $4)
on conflict (idempotency_key) do update set idempotency_key = excluded.idempotency_key
returning customer_id as id, reference`;

const readAccountText = `select details_submitted, payouts_enabled from sandbox.account where account_id = $1`;

const readCustomerText = `
select payment_method_id, brand, last4, exp_month, exp_year from sandbox.customer where customer_id = $1`;

const listAccountsText = `
select account_id as id, reference from sandbox.account where account_id > $1 order by account_id limit 1000`;

const listCustomersText = `
select customer_id as id, reference from sandbox.customer where customer_id > $1 order by customer_id limit 1000`;

const removeCardText = `
update sandbox.customer
set payment_method_id = null, brand = null, last4 = null, exp_month = null, exp_year = null
where customer_id = $1`;

const forgetLinksText = `delete from sandbox.link where object_id = $1 and expires_at < $2`;

const addLinkText = `
insert into sandbox.link (token_hash, kind, object_id, return_url, expires_at) values ($1, $2, $3, $4, $5)`;

/**
 * A payment processor that keeps its state in our database and moves no money. It is the default until a real processor
 * is set up.
 */
export function createSandboxProcessor(options: SandboxProcessorOptions): Processor {
  const { fundsCents = defaultFundsCents } = options;
  return {
    name: 'sandbox',
    payoutAccounts: createPayoutAccounts(options),
    customers: createCustomers(options),
    charges: createSandboxMovements(options, chargeRules),
    refunds: createSandboxMovements(options, refundRules),
    transfers: createSandboxMovements(options, createTransferRules(fundsCents)),
    disputes: createSandboxDisputes(options),
    ownPayouts: createSandboxOwnPayouts(options),
    events: createSandboxEvents(options),
    readBalance: createReadSandboxBalance({ ...options, fundsCents }),
    findSetupProblems: async () => [],
  };
}

/** In Stripe's words. */
const wanted = ['external_account', 'tos_acceptance.date'];

function createPayoutAccounts(options: SandboxProcessorOptions): PayoutAccounts {
  const { database } = options;
  const create = createOnce(options, { prefix: 'acct', text: createAccountText });
  const addLink = createAddLink(options, 'onboarding');

  async function read(processorAccountId: string) {
    const rows = await database.query<AccountRow>(readAccountText, [processorAccountId]);
    const row = foundRow(rows, processorAccountId);
    const { details_submitted: areDetailsSubmitted, payouts_enabled: arePayoutsEnabled } = row;
    const disabledReason = areDetailsSubmitted && !arePayoutsEnabled ? 'rejected.other' : undefined;
    return { areDetailsSubmitted, arePayoutsEnabled, disabledReason, requirements: areDetailsSubmitted ? [] : wanted };
  }

  return {
    create: async (keyed) => ({ processorAccountId: await create(keyed) }),
    async createLink({ processorAccountId, returnUrl }) {
      await read(processorAccountId);
      return addLink(processorAccountId, returnUrl);
    },
    async createLoginLink({ processorAccountId, ownAddress }) {
      await read(processorAccountId);
      return (await addLink(processorAccountId, ownAddress)).url;
    },
    read,
    listOwned: createListOwned(options, listAccountsText),
  };
}

interface AccountRow {
  readonly details_submitted: boolean;
  readonly payouts_enabled: boolean;
}

function createCustomers(options: SandboxProcessorOptions): Customers {
  const { database } = options;
  const create = createOnce(options, { prefix: 'cus', text: createCustomerText });
  const addLink = createAddLink(options, 'card_setup');

  async function readPaymentMethod(processorCustomerId: string) {
    const rows = await database.query<DbCard>(readCustomerText, [processorCustomerId]);
    return fromDbCard(foundRow(rows, processorCustomerId));
  }

  return {
    create: async (keyed) => ({ processorCustomerId: await create(keyed) }),
    async createSetupLink({ processorCustomerId, returnUrl }) {
      await readPaymentMethod(processorCustomerId);
      return addLink(processorCustomerId, returnUrl);
    },
    readPaymentMethod,
    async removePaymentMethods(processorCustomerId) {
      await readPaymentMethod(processorCustomerId);
      await database.query(removeCardText, [processorCustomerId]);
    },
    listOwned: createListOwned(options, listCustomersText),
  };
}

function createOnce({ database, clock }: SandboxProcessorOptions, { prefix, text }: { prefix: string; text: string }) {
  return async function createByKey({ idempotencyKey, reference }: KeyedObject): Promise<string> {
    const values = [createSandboxId(prefix), idempotencyKey, reference, toIso(clock.now())];
    const created = onlyRow(await database.query<{ id: string; reference: string }>(text, values));
    if (created.reference !== reference)
      throw new AppError('idempotency_key_reused', 'This key has created an object for another reference.');
    return created.id;
  };
}

function createListOwned({ database }: SandboxProcessorOptions, text: string) {
  return async function* listOwned(): AsyncGenerator<OwnedObject> {
    let after = '';
    for (;;) {
      const owned = await database.query<{ id: string; reference: string }>(text, [after]);
      for (const { id, reference } of owned) yield { objectId: id, reference };
      const last = owned.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  };
}

function createAddLink({ database, clock }: SandboxProcessorOptions, kind: PageKind) {
  return async function addLink(objectId: string, returnUrl: string): Promise<HostedLink> {
    const nowMs = clock.now();
    const expiresAtMs = nowMs + linkLifeMs;
    const { url, tokenHash } = createSandboxLink(kind);
    await database.query(forgetLinksText, [objectId, toIso(nowMs)]);
    await database.query(addLinkText, [tokenHash, kind, objectId, returnUrl, toIso(expiresAtMs)]);
    return { url, expiresAtMs };
  };
}
