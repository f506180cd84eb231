import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createAuthRows } from '@tollgate/testkit/auth-rows';
import { eventually } from '@tollgate/testkit/eventually';
import { beginSlowPost } from '@tollgate/testkit/slow-request';
import { useGateway } from '../support/use-gateway.ts';

const gateway = useGateway();

describe('F135 the events of a suspended account', () => {
  it('are refused within a second, singly and in batches, and taken again when it is resumed', async () => {
    const [account, other, toolId] = [await gateway.newAccount(), await gateway.newAccount(), await gateway.newTool()];
    const rows = createAuthRows(gateway.owner);
    const record = ({ token }: { token: string }) => gateway.record({ tool_id: toolId }, { token });
    expect(await record(account)).toMatchObject({ status: 201 });
    await rows.suspend(account.accountId);
    await eventually(async () => (await record(account)).status === 403, { withinMs: 1_000 });
    const before = (await gateway.appended()).length;
    expect(await record(account)).toMatchObject({ status: 403, body: { code: 'account_suspended' } });
    const batch = { token: account.token, body: { events: [{ tool_id: toolId }] } };
    expect(await gateway.send('POST', '/v1/events/batch', batch)).toMatchObject({ status: 403 });
    expect(await gateway.appended()).toHaveLength(before);
    expect(await record(other)).toMatchObject({ status: 201 });
    await rows.resume(account.accountId);
    await eventually(async () => (await record(account)).status === 201, { withinMs: 1_000 });
  });

  it('are refused also where the request began before the suspension and its body came late', async () => {
    const [account, toolId] = [await gateway.newAccount(), await gateway.newTool()];
    const { token, accountId } = account;
    const begin = () =>
      beginSlowPost({ url: `http://127.0.0.1:${gateway.port}/v1/events`, token, body: { tool_id: toolId } });
    const [slow, slower] = [await begin(), await begin()];
    expect(await slow.finish()).toBe(201);
    await createAuthRows(gateway.owner).suspend(accountId);
    const record = () => gateway.record({ tool_id: toolId }, { token });
    await eventually(async () => (await record()).status === 403, { withinMs: 1_000 });
    await sleep(600); // a credential that was judged just now is not judged again
    expect(await slower.finish()).toBe(403);
  });
});
