import { expect } from '@jest/globals';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { describeWithPython, openPython, pytest, pythonClient, runPython } from './python-environment.ts';

const patienceMs = 600_000; // beside the other suites

describeWithPython('the Python client beside older and other servers', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'python-generations' }, undo);
    const [first, fast, tasks] = await Promise.all([
      openPython(undo, [pythonClient, ...pytest, 'mcp==1.30.0']),
      openPython(undo, [pythonClient, ...pytest, 'fastmcp==4.2.3']),
      openPython(undo, [pythonClient, ...pytest, 'fastmcp-tasks==4.1.4']),
    ]);
    const variables = { TOLLGATE_URL: product.baseUrl() };
    const run = (python: string) => runPython(python, variables);
    return { first: run(first), fastmcp: run(fast), tasks: run(tasks) };
  }, patienceMs);

  it(
    'F180 meters MCP servers of the first generation, too',
    async ({ first: python }) => {
      const output = await python('-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests/test_mcp.py');
      expect(output).toMatch(/^\d+ passed/m);
    },
    patienceMs,
  );
  it(
    'F180 meters servers of FastMCP, too',
    async ({ fastmcp: python }) => {
      const output = await python('-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests/test_mcp.py');
      expect(output).toMatch(/^\d+ passed/m);
    },
    patienceMs,
  );
  it(
    'F379 F380 charges a task of the first generation when it has ended, whichever process sees it',
    async ({ first: python }) => {
      const output = await python('-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests/test_tasks.py');
      expect(output).toMatch(/^7 passed/m);
    },
    patienceMs,
  );
  it(
    'F379 charges a task of the extension when it has ended, whichever process sees it',
    async ({ tasks: python }) => {
      const output = await python('-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests/test_tasks.py');
      expect(output).toMatch(/^4 passed, 3 skipped/m);
    },
    patienceMs,
  );
});
