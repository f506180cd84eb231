import { eventually } from '@tollgate/testkit/eventually';
import { describeWithChromium, looks } from '../chromium.ts';
import { itWith } from '../it-with.ts';
import { openConsoleWorld } from './console-world.ts';
import { signIn } from './sign-in.ts';
import { showPages, watchPage } from './watch-page.ts';

describeWithChromium('every page of the console', () => {
  const it = itWith(async (undo) => openConsoleWorld(undo));

  it('keeps nobody out, on a phone and on a desk, by day and by night', async (world) => {
    const { email, client } = await world.signUp();
    const pass = await client.passes.create({
      name: 'research agent',
      tools: [world.slug],
      cap: { amount_usd: 5, window: 'day' },
    });
    await client.spending.setBudget({ amount_usd: 50, window: 'month' });
    const { event_id: call } = await client.with({ apiKey: pass.key }).events.record({ tool_id: world.slug });
    await eventually(async () => (await client.usage.get()).totals.calls === 1, { withinMs: 10_000 });
    const empty = await world.signUp();
    const chosen = process.env['SCREENSHOTS'] === undefined ? looks.slice(0, 2) : looks;
    for (const [width, colorScheme] of chosen) {
      const look = { viewport: { width, height: 900 }, colorScheme };
      const full = await signIn(world, email, look);
      const watched = watchPage(full, world.baseUrl);
      const pages = pagesOf(pass.id, call);
      await showPages(full, { baseUrl: world.baseUrl, pages, width, colorScheme });
      watched.expectOwnRequests();
      await full.context().close();
      const bare = await signIn(world, empty.email, look);
      await showPages(bare, { baseUrl: world.baseUrl, pages: emptyPages, width, colorScheme });
      await bare.context().close();
    }
  }, 600_000);
});

const pagesOf = (passId: string, eventId: string) => ({
  overview: '',
  passes: '/passes',
  'passes-new': '/passes/new',
  pass: `/passes/${passId}`,
  'pass-missing': '/passes/0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b',
  usage: '/usage',
  calls: '/calls',
  call: `/calls/${eventId}`,
  invoices: '/invoices',
  draft: '/invoices/draft',
  budget: '/budget',
  keys: '/keys',
  webhooks: '/webhooks',
  tools: '/tools',
  revenue: '/revenue',
  missing: '/no-such-page',
  'sign-in': '/sign-in?ended=yes',
  'sign-up': '/sign-up',
});

const emptyPages = {
  'overview-empty': '',
  'passes-empty': '/passes',
  'usage-empty': '/usage',
  'calls-empty': '/calls',
  'revenue-empty': '/revenue',
  'draft-empty': '/invoices/draft',
};
