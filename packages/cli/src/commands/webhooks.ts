import type { Schemas } from '@tollgate/sdk';
import { InvalidArgumentError, type Command } from 'commander';
import { collect } from '../collect.ts';
import type { Context } from '../context.ts';

interface NewEndpoint {
  readonly type: readonly string[];
  readonly description?: string;
}

/** Addresses of yours that are told what happens, and what they were told. */
export function addWebhookCommands(program: Command, context: Context): void {
  const webhooks = program.command('webhooks').description('addresses of yours that are told what happens');
  addEndpointCommands(webhooks, context);
  addEventCommands(webhooks, context);
}

function addEndpointCommands(webhooks: Command, { session, write }: Context): void {
  webhooks
    .command('list', { isDefault: true })
    .description('list your endpoints')
    .action(async () => {
      const { webhook_endpoints: rows } = await session.run((tollgate) => tollgate.webhookEndpoints.list());
      write.table(rows, ['url', 'types', 'enabled', 'failing_since', 'id'], endpointWords);
    });
  webhooks
    .command('create <url>')
    .description('register an endpoint; its secret is shown once')
    .option('--type <type>', 'what it is told, such as invoice.paid; again for more; default: everything', collect, [])
    .option('--description <text>', 'for you, to tell endpoints apart')
    .action(async (url: string, { type, description }: NewEndpoint) => {
      // The service names the types that there are, if one is wrong.
      const types = type.length > 0 ? ([...type] as Schemas['NewWebhookEndpoint']['types']) : undefined;
      const body = { url, ...(types && { types }), ...(description !== undefined && { description }) };
      const created = await session.run((tollgate) => tollgate.webhookEndpoints.create(body));
      write.record(created, endpointWords(created));
    });
  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const)
    webhooks
      .command(`${verb} <id>`)
      .description(enabled ? 'tell it again what happens' : 'tell it nothing until it is enabled')
      .action(async (id: string) => {
        const changed = await session.run((tollgate) => tollgate.webhookEndpoints.update(id, { enabled }));
        write.record(changed, endpointWords(changed));
      });
  webhooks
    .command('rotate-secret <id>')
    .description('give it a new secret, which is shown once')
    .option('--grace <seconds>', 'for so long the earlier secret signs, too', toSeconds, 0)
    .action(async (id: string, { grace }: { readonly grace: number }) => {
      const body = { grace_seconds: grace };
      const rotated = await session.run((tollgate) => tollgate.webhookEndpoints.rotateSecret(id, body));
      write.record(rotated, endpointWords(rotated));
    });
  webhooks
    .command('test <id>')
    .description('send it an event of the type webhook.test')
    .action(async (id: string) => {
      const { id: eventId } = await session.run((tollgate) => tollgate.webhookEndpoints.test(id));
      write.say(`Sent. \`tollgate webhooks attempts ${eventId}\` shows what it answered.`);
    });
  webhooks
    .command('delete <id>')
    .description('remove an endpoint')
    .action(async (id: string) => {
      await session.run((tollgate) => tollgate.webhookEndpoints.delete(id));
      write.say('The endpoint is removed.');
    });
}

function addEventCommands(webhooks: Command, { session, write }: Context): void {
  webhooks
    .command('events')
    .description('list what happened in the last 30 days')
    .action(async () => {
      const rows = await session.run((tollgate) => tollgate.webhookEvents.list({ limit: 100 }).firstPage());
      write.table(rows.webhook_events, ['timestamp', 'type', 'id']);
    });
  webhooks
    .command('attempts <event>')
    .description('list each try to tell an event, and its answer')
    .action(async (id: string) => {
      const { attempts } = await session.run((tollgate) => tollgate.webhookEvents.attempts(id));
      write.table(attempts, ['started_at', 'endpoint_id', 'number', 'status', 'duration_ms', 'error']);
    });
  webhooks
    .command('redeliver <event>')
    .description('send an event again')
    .action(async (id: string) => {
      const { deliveries } = await session.run((tollgate) => tollgate.webhookEvents.redeliver(id));
      write.say(`It is sent to ${deliveries.filter(({ status }) => status === 'pending').length} endpoints.`);
    });
}

function endpointWords({ types, ...endpoint }: Schemas['WebhookEndpoint']): object {
  return { ...endpoint, types: types === null ? 'all' : types.join(' ') };
}

function toSeconds(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('It must be seconds, up to 86400.');
  return Number(text);
}
