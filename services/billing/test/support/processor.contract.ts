import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/kernel/app-error';
import { collect } from './collect.ts';
import type { HostedLink, OwnedObject, Processor } from '../../src/processor/processor.ts';

/** A processor, and the people who open its pages. */
export interface OpenProcessor {
  readonly processor: Processor;
  /** Presses a button of the page behind the link. */
  answerOnboarding(link: HostedLink, answer: 'complete' | 'refuse'): Promise<void>;
  answerSetup(link: HostedLink, answer: 'complete' | 'refuse'): Promise<void>;
  nowMs(): number;
  close(): Promise<void>;
}

const returnUrl = 'https://builder.example/back';
let keys = 0;
const newKey = () => ({ idempotencyKey: `contract-${(keys += 1)}`, reference: `account-${keys}` });

async function ownedBy(port: Pick<Processor['customers'], 'listOwned'>, reference: string) {
  const owned: OwnedObject[] = [];
  for await (const object of port.listOwned()) if (object.reference === reference) owned.push(object);
  return owned;
}

/** Billing relies on this contract of any processor. Every adapter passes it unchanged. */
export function describeProcessor(name: string, open: () => Promise<OpenProcessor>): void {
  describe(`${name} as a processor`, () => {
    let opened: OpenProcessor;

    beforeAll(async () => {
      opened = await open();
    });

    afterAll(() => opened.close());

    describe('payout accounts', () => {
      const create = async () => (await opened.processor.payoutAccounts.create(newKey())).processorAccountId;
      const linkTo = (processorAccountId: string) =>
        opened.processor.payoutAccounts.createLink({ processorAccountId, returnUrl });
      const read = (processorAccountId: string) => opened.processor.payoutAccounts.read(processorAccountId);

      it('F56 makes one account a key, however often and at once it is asked', async () => {
        const keyed = newKey();
        const made = await Promise.all([1, 2, 3, 4, 5].map(() => opened.processor.payoutAccounts.create(keyed)));
        const again = await opened.processor.payoutAccounts.create(keyed);
        expect(new Set([...made, again].map(({ processorAccountId }) => processorAccountId)).size).toBe(1);
      });

      it('F121 lists the accounts with their references', async () => {
        const keyed = newKey();
        const { processorAccountId: objectId } = await opened.processor.payoutAccounts.create(keyed);
        const { reference } = keyed;
        expect(await ownedBy(opened.processor.payoutAccounts, reference)).toEqual([{ objectId, reference }]);
      });

      it('makes another account for another key', async () => {
        expect(await create()).not.toBe(await create());
      });

      it('refuses a key that made something for another reference', async () => {
        const keyed = newKey();
        await opened.processor.payoutAccounts.create(keyed);
        const reused = opened.processor.payoutAccounts.create({ ...keyed, reference: 'another' });
        await expect(reused).rejects.toMatchObject({ code: 'idempotency_key_reused' });
      });

      it('begins without details and without payouts', async () => {
        expect(await read(await create())).toMatchObject({ areDetailsSubmitted: false, arePayoutsEnabled: false });
      });

      it('enables payouts once onboarding is complete', async () => {
        const id = await create();
        await opened.answerOnboarding(await linkTo(id), 'complete');
        expect(await read(id)).toMatchObject({ areDetailsSubmitted: true, arePayoutsEnabled: true });
      });

      it('F51 takes the capability away, and gives it back', async () => {
        const id = await create();
        await opened.answerOnboarding(await linkTo(id), 'complete');
        await opened.answerOnboarding(await linkTo(id), 'refuse');
        expect(await read(id)).toMatchObject({ areDetailsSubmitted: true, arePayoutsEnabled: false });
        await opened.answerOnboarding(await linkTo(id), 'complete');
        expect(await read(id)).toMatchObject({ areDetailsSubmitted: true, arePayoutsEnabled: true });
      });

      it('F169 says what it still wants of an owner, and why it refuses one', async () => {
        const id = await create();
        expect((await read(id)).requirements).toContain('external_account');
        await opened.answerOnboarding(await linkTo(id), 'refuse');
        expect(await read(id)).toMatchObject({ requirements: [], disabledReason: 'rejected.other' });
        await opened.answerOnboarding(await linkTo(id), 'complete');
        expect(await read(id)).toMatchObject({ requirements: [], disabledReason: undefined });
      });

      it('makes a link to the account once it is onboarded', async () => {
        const id = await create();
        await opened.answerOnboarding(await linkTo(id), 'complete');
        const link = { processorAccountId: id, ownAddress: 'https://tollgate.example' };
        const { payoutAccounts } = opened.processor;
        expect(await payoutAccounts.createLoginLink(link)).not.toBe(await payoutAccounts.createLoginLink(link));
      });

      it('makes a link anew each time, good for a while', async () => {
        const id = await create();
        const [first, second] = [await linkTo(id), await linkTo(id)];
        expect(first.url).not.toBe(second.url);
        expect(first.expiresAtMs).toBeGreaterThan(opened.nowMs());
      });

      it('knows no account that it did not make', async () => {
        for (const ask of [read, linkTo])
          await expect(ask('acct_unknown')).rejects.toMatchObject({ kind: 'not_found', constructor: AppError });
      });
    });

    describe('customers', () => {
      const create = async () => (await opened.processor.customers.create(newKey())).processorCustomerId;
      const linkTo = (processorCustomerId: string) =>
        opened.processor.customers.createSetupLink({ processorCustomerId, returnUrl });
      const read = (processorCustomerId: string) => opened.processor.customers.readPaymentMethod(processorCustomerId);

      it('F56 makes one customer a key, however often and at once it is asked', async () => {
        const keyed = newKey();
        const made = await Promise.all([1, 2, 3, 4, 5].map(() => opened.processor.customers.create(keyed)));
        expect(new Set(made.map(({ processorCustomerId }) => processorCustomerId)).size).toBe(1);
      });

      it('F121 lists the customers with their references', async () => {
        const keyed = newKey();
        const { processorCustomerId: objectId } = await opened.processor.customers.create(keyed);
        const { reference } = keyed;
        expect(await ownedBy(opened.processor.customers, reference)).toEqual([{ objectId, reference }]);
      });

      it('begins without a payment method, and removing none is no error', async () => {
        const id = await create();
        await opened.processor.customers.removePaymentMethods(id);
        expect(await read(id)).toBeUndefined();
      });

      it('has the payment method that was set up, the newest in place of the one before', async () => {
        const id = await create();
        await opened.answerSetup(await linkTo(id), 'complete');
        const first = await read(id);
        expect(first).toMatchObject({ brand: 'visa', last4: '4242', expMonth: expect.any(Number) });
        expect(first?.expYear).toBeGreaterThanOrEqual(new Date(opened.nowMs()).getUTCFullYear());
        await opened.answerSetup(await linkTo(id), 'complete');
        expect((await read(id))?.paymentMethodId).not.toBe(first?.paymentMethodId);
      });

      it('keeps what was on file when another is refused', async () => {
        const id = await create();
        await opened.answerSetup(await linkTo(id), 'complete');
        const before = await read(id);
        await opened.answerSetup(await linkTo(id), 'refuse');
        expect(await read(id)).toEqual(before);
      });

      it('removes it, once and for all who ask again', async () => {
        const id = await create();
        await opened.answerSetup(await linkTo(id), 'complete');
        await opened.processor.customers.removePaymentMethods(id);
        await opened.processor.customers.removePaymentMethods(id);
        expect(await read(id)).toBeUndefined();
      });

      it('knows no customer that it did not make', async () => {
        const { removePaymentMethods } = opened.processor.customers;
        for (const ask of [read, linkTo, removePaymentMethods])
          await expect(ask('cus_unknown')).rejects.toMatchObject({ kind: 'not_found', constructor: AppError });
      });
    });

    describe('events', () => {
      const listed = async (sinceMs: number, untilMs: number) =>
        collect(opened.processor.events.list({ sinceMs, untilMs }));

      it('F278 lists what has happened in a time, with the second in which it did', async () => {
        const wholeSecond = () => Math.floor(opened.nowMs() / 1_000) * 1_000;
        const sinceMs = wholeSecond();
        const before = new Set((await listed(sinceMs, sinceMs + 60_000)).map(({ eventId }) => eventId));
        const { processorCustomerId } = await opened.processor.customers.create(newKey());
        const link = await opened.processor.customers.createSetupLink({ processorCustomerId, returnUrl });
        await opened.answerSetup(link, 'complete');
        const untilMs = wholeSecond() + 1_000;
        const happened = (await listed(sinceMs, untilMs)).filter(({ eventId }) => !before.has(eventId));
        const [completed] = happened.filter(({ type }) => /^(setup|checkout\.session)\.completed$/.test(type));
        const { eventId, createdAtMs: atMs = 0 } = completed ?? {};
        expect(eventId).toMatch(/^evt_/);
        expect([atMs % 1_000, atMs >= sinceMs && atMs < untilMs]).toEqual([0, true]);
        expect(await listed(atMs, atMs + 1_000)).toContainEqual(completed);
        for (const other of [atMs - 1_000, atMs + 1_000])
          expect(await listed(other, other + 1_000)).not.toContainEqual(completed);
      });
    });
  });
}
