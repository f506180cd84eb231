import { expect, it } from '@jest/globals';
import { uuidV8 } from '@tollgate/kernel/uuid';
import { keyedIdOf } from '../support/put-counted-event.ts';
import { useGateway } from '../support/use-gateway.ts';

const gateway = useGateway();

it('F190 makes the id of an event with a key with the secret of the database', async () => {
  const [{ accountId, token }, toolId] = [await gateway.newAccount(), await gateway.newTool()];
  const key = 'order-1';
  const { body } = await gateway.record({ tool_id: toolId, idempotency_key: key }, { token });
  expect(body.event_id).toBe(await keyedIdOf(gateway.owner, { accountId, key }));
  expect(body.event_id).not.toBe(uuidV8(accountId, key));
});
