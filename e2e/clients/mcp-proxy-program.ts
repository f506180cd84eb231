import { createMeteringPorts } from '@tollgate/mcp';
import { runProxy } from '@tollgate/mcp/proxy';
import { Meter, Tollgate } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';

/** The proxy as a program: the slug of the tool, then the command of the server. */
const [slug = '', command = '', ...args] = process.argv.slice(2);
const tollgate = new Tollgate();
const meter = await Meter.open({ tollgate, durability: 'memory' });
const calls = createCalls({ tollgate, meter, requirePass: true });
const ownKey = process.env['TOLLGATE_KEY'];
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TOLLGATE_')));
await runProxy(
  { command, args, env: env as Record<string, string> },
  createMeteringPorts({ tollgate, calls, tool: slug, ownKey }),
);
await meter.close();
