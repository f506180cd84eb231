import { describe, expect, it } from '@jest/globals';
import { createAuthRows } from '@tollgate/testkit/auth-rows';
import { eventually } from '@tollgate/testkit/eventually';
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
});
