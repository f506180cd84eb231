import { beforeEach, describe, expect, it } from '@jest/globals';
import { charging, perCall, type TestAuthorization } from '../support/gate/charging.ts';
import type { TestAccount } from '../support/gateway-under-test.ts';
import { useGateway } from '../support/use-gateway.ts';

const gateway = useGateway();
let builder: TestAccount;
let consumer: TestAccount;
let pass: { readonly id: string; readonly key: string };
let toolId: string;

beforeEach(async () => {
  [builder, consumer] = [await gateway.newAccount(), await gateway.newAccount()];
  toolId = await charging(gateway, perCall('0.25'), builder.accountId);
  const body = { name: 'agent', tools: [toolId], cap: { amount_usd: 5, window: 'month' } };
  pass = (await gateway.send<typeof pass>('POST', '/v1/passes', { token: consumer.token, body })).body;
});

/** A party that asks and captures. */
interface Sender {
  readonly token: string;
  /** Whether it names the pass when it asks. */
  readonly namesPass: boolean;
  /** Whether the events are the pass's. */
  readonly withPass: boolean;
}

const senders = {
  'the builder': () => ({ token: builder.token, namesPass: true, withPass: true }),
  'the consumer': () => ({ token: consumer.token, namesPass: false, withPass: false }),
  'the consumer with its pass': () => ({ token: consumer.token, namesPass: true, withPass: true }),
  'the pass': () => ({ token: pass.key, namesPass: false, withPass: true }),
} satisfies Record<string, () => Sender>;

async function authorize({ token, namesPass }: Sender, count = 1): Promise<string> {
  const body = { tool_id: toolId, count, ...(namesPass && { pass: pass.key }) };
  const asked = await gateway.send<TestAuthorization>('POST', '/v1/authorizations', { token, body });
  expect(asked.status).toBe(201);
  return asked.body.id;
}

async function record({ token }: Sender, event: object): Promise<string> {
  const { status, body } = await gateway.record({ tool_id: toolId, ...event }, { token });
  expect(status).toBe(201);
  return body.event_id;
}

/** Each returns the ids of two events. */
const shapes = {
  single: async (sender: Sender) => [
    await record(sender, { authorization_id: await authorize(sender) }),
    await record(sender, { authorization_id: await authorize(sender) }),
  ],
  async batch(sender: Sender) {
    const ids = [await authorize(sender), await authorize(sender)];
    const events = ids.map((id) => ({ tool_id: toolId, authorization_id: id }));
    const { body } = await gateway.send<{ results: { event_id: string }[] }>('POST', '/v1/events/batch', {
      token: sender.token,
      body: { events },
    });
    return body.results.map(({ event_id: eventId }) => eventId);
  },
  async book(sender: Sender) {
    const id = await authorize(sender, 2);
    return [
      await record(sender, { authorization_id: id, call_index: 1 }),
      await record(sender, { authorization_id: id, call_index: 0 }),
    ];
  },
};

type Who = keyof typeof senders;
type Shape = keyof typeof shapes;
const cases = (Object.keys(senders) as Who[]).flatMap((who) =>
  (Object.keys(shapes) as Shape[]).map((shape) => [shape, who] as const),
);

describe('what is captured', () => {
  it.each(cases)('as a %s by %s is the consumer’s, with the pass that it was authorized with', async (shape, who) => {
    const sender = senders[who]();
    const eventIds = await shapes[shape](sender);
    expect(new Set(eventIds).size).toBe(2);
    const records = (await gateway.appended()).filter(({ event_id: id }) => eventIds.includes(id));
    const event = { consumer_id: consumer.accountId, tool_id: toolId, pass_id: sender.withPass ? pass.id : undefined };
    const seen = records.map((of) => ({ consumer_id: of.consumer_id, tool_id: of.tool_id, pass_id: of.pass_id }));
    expect(seen).toEqual([event, event]);
  });
});
