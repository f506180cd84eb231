import { describe, expect } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { createFormBrowser } from '@tollgate/testkit/form-browser';
import { itWith } from '../it-with.ts';
import { createStore, generations } from './oauth-mcp-clients.ts';
import { openOAuthWorld } from './oauth-world.ts';

describe('a client of MCP', () => {
  const it = itWith(async (undo) => openOAuthWorld('oauth-clients', undo));

  for (const [generation, begin] of Object.entries(generations))
    it(`F309 of the ${generation} connects from nothing, and is out when its pass is revoked`, async (world) => {
      const { issuer, serverUrl, person, consumer, builder } = world;
      const store = createStore(world);
      const attempt = begin(new URL(serverUrl), store);
      await expect(attempt.connect()).rejects.toThrow(/unauthorized/i);
      const browser = createFormBrowser({ site: issuer, baseUrl: issuer });
      const page = await browser.press(await browser.open(store.opened()), 'sign_in', person);
      const { leavesTo } = await browser.press(page, 'allow', { cap_usd: '3' });
      await attempt.finish(leavesTo?.searchParams ?? new URLSearchParams());
      await attempt.connect();
      expect(await attempt.call()).toMatchObject({ content: [{ text: '12 degrees' }] });

      const passId = String(world.lastClaims()?.['pass_id']);
      const tools = ['forecast', 'history'];
      expect(await consumer.passes.get(passId)).toMatchObject({ name: 'Weather agent', tools, cap: { amount_usd: 3 } });
      const hold = { tool_id: 'forecast', pass: store.tokens()?.access_token ?? '' };
      expect(await builder.spending.authorize(hold)).toMatchObject({ pass_id: passId, held_usd: 0.002 });
      await consumer.passes.delete(passId);
      const isOut = async () =>
        (await builder.spending.authorize(hold).catch((error: Error) => error)) instanceof Error;
      await eventually(isOut, { withinMs: 1_000 });
      const body = new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: store.tokens()?.refresh_token ?? '',
        client_id: String(world.lastClaims()?.['client_id']),
      });
      const refused = await fetch(`${issuer}/oauth/token`, { method: 'POST', body });
      expect(await refused.json()).toMatchObject({ error: 'invalid_grant' });
    });
});
