import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { npm } from '../../tools/release/pack-package.ts';
import { openFolder, type Undo } from '../it-with.ts';

/** The suite of the MCP project, by which it judges implementations. The alpha line alone knows MCP 2026-07-28. */
const suite = '@modelcontextprotocol/conformance';
const version = '0.2.0-alpha.12';

/** The checks of each scenario, each with its result: `SUCCESS`, `FAILURE`, `WARNING`, `INFO` or `SKIPPED`. */
export type Verdicts = ReadonlyMap<string, Readonly<Record<string, string>>>;

export interface ConformanceSuite {
  /** Judges a server by all scenarios that a revision of MCP requires. */
  judgeServer(url: string, revision: string): Promise<Verdicts>;
  /** Judges an authorization server. `consent` acts as the person at the address that the suite prints. */
  judgeAuthorization(
    asked: { readonly issuer: string; readonly resource: string; readonly clientId: string; readonly port: number },
    consent: (url: string) => Promise<unknown>,
  ): Promise<Verdicts>;
}

export function installConformanceSuite(undo: Undo): ConformanceSuite {
  const folder = openFolder('conformance', undo);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  npm(folder, ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', `${suite}@${version}`]);
  const main = join(folder, 'node_modules', suite, 'dist/index.js');
  let runs = 0;

  function newRun(): string {
    const results = join(folder, `results-${(runs += 1)}`);
    mkdirSync(results);
    return results;
  }

  return {
    async judgeServer(url, revision) {
      const results = newRun();
      const args = ['server', '--url', url, '--requirements', revision, '--timeout', '15000', '-o', results];
      await promisify(execFile)(process.execPath, [main, ...args], { maxBuffer: 1 << 26 }).catch(() => undefined); // it fails where a check fails
      return readVerdicts(results);
    },
    async judgeAuthorization({ issuer, resource, clientId, port }, consent) {
      const results = newRun();
      const about = ['--url', issuer, '--resource', resource, '--client-id', clientId, '--port', String(port)];
      const child = spawn(process.execPath, [main, 'authorization', ...about, '-o', results], { stdio: 'pipe' });
      const exited = once(child, 'exit');
      for await (const line of createInterface({ input: child.stdout }))
        if (/^http\S+\/oauth\/authorize\?/.test(line)) await consent(line);
      await exited;
      return readVerdicts(results);
    },
  };
}

function readVerdicts(results: string): Verdicts {
  const named = /^(?:authorization-)?server-(.+?)-\d{4}-\d\d-\d\dT[\d-]+Z$/;
  const scenarios = readdirSync(results).map((folder) => {
    const checks = JSON.parse(readFileSync(join(results, folder, 'checks.json'), 'utf8')) as Check[];
    const verdict = Object.fromEntries(checks.map(({ id, description, status }) => [`${id}: ${description}`, status]));
    return [named.exec(folder)?.[1] ?? folder, verdict] as const;
  });
  return new Map(scenarios);
}

interface Check {
  readonly id: string;
  readonly description: string;
  readonly status: string;
}
