import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { Meter } from '@tollgate/sdk';
import { startCountingServer } from '../../packages/sdk/test/support/counting-server.ts';
import { describeWithPython, openPython, pythonClient } from '../clients/python-environment.ts';
import { itWith, openFolder } from '../it-with.ts';

const run = promisify(execFile);
const unavailable = { status: 503, code: 'unavailable' };

/** Records these calls, or, without any, sends what is left. */
const program = `
import json, sys, tollgate
meter = tollgate.Meter.open(sys.argv[1], url=sys.argv[2], api_key="k")
calls = json.loads(sys.argv[3])
for call in calls:
    meter.record(**call)
print(meter.close(timeout=0 if calls else 20).left)
`;

const calls = [
  { tool: 'search', duration_ms: 0, timestamp: '2026-11-21T10:00:00.000Z', idempotency_key: 'event-1' },
  {
    tool: 'search',
    duration_ms: 2.5,
    success: false,
    timestamp: '2026-11-21T10:00:01.000Z',
    idempotency_key: 'event-2',
  },
  {
    tool: 'Übersetzung 🦉',
    metadata: { text: 'a\n"b"\\\u2028\u0001\u007f/', half: '\ud83e', count: -3, part: 0.1, flag: true },
    timestamp: '2026-11-21T10:00:02.000Z',
    idempotency_key: 'event-3',
  },
];

describeWithPython('spools of Python and of JavaScript', () => {
  const it = itWith(async (undo) => {
    const python = await openPython(undo, [pythonClient]);
    const folder = openFolder('spool-languages', undo);
    const server = await startCountingServer();
    undo(() => server.close());
    const runPython = async (dir: string, toRecord: readonly object[]): Promise<string> => {
      const { stdout } = await run(python, ['-c', program, dir, server.baseUrl, JSON.stringify(toRecord)]);
      return stdout.trim();
    };
    return { folder, server, runPython };
  });

  it('F179 each client reads what the other wrote, and both write the same bytes', async ({
    folder,
    server,
    runPython,
  }) => {
    server.always = unavailable;
    const [byPython, byNode] = [join(folder, 'python'), join(folder, 'node')];
    expect(await runPython(byPython, calls)).toBe('3');
    const meter = await openMeter(byNode, server.baseUrl);
    for (const { idempotency_key: idempotencyKey, ...call } of calls) await meter.record({ ...call, idempotencyKey });
    expect(await meter.close({ timeoutMs: 0 })).toMatchObject({ left: 3 });
    expect(contentOf(byPython)).toEqual(contentOf(byNode));

    server.always = undefined;
    expect(await runPython(byNode, [])).toBe('0');
    const countedByPython = new Map(server.counted);
    server.counted.clear();
    expect(await (await openMeter(byPython, server.baseUrl)).close()).toMatchObject({ left: 0 });
    expect([...server.counted]).toEqual([...countedByPython]);
    expect([...server.counted.keys()]).toEqual(calls.map((call) => call.idempotency_key));
    for (const dir of [byPython, byNode]) expect(readdirSync(dir)).toEqual(['account.json']);
  });
});

function openMeter(dir: string, url: string): Promise<Meter> {
  mkdirSync(dir, { recursive: true });
  rmSync(join(dir, 'account.json'), { force: true });
  return Meter.open({ dir, url, apiKey: 'tg_live_test' });
}

/** Reads the only segment. */
function contentOf(dir: string): string {
  const [name = ''] = readdirSync(dir).filter((file) => file.endsWith('.spool'));
  return readFileSync(join(dir, name), 'utf8');
}
