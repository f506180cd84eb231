import type { RedCheck } from './red-check.ts';

const runTest = 'e2e/clients/mcp-one-run.e2e.int.test.ts';
const proxyRunTest = 'e2e/clients/mcp-proxy-one-run.e2e.int.test.ts';

/** The defences of metered MCP servers. */
export const mcpRedChecks: readonly RedCheck[] = [
  {
    patch: 'mcp-call-known-by-its-id',
    test: proxyRunTest,
    red: [{ title: 'F257 records each of the calls whose ids collide', because: /not within [12]0000 ms/ }],
  },
  {
    patch: 'mcp-given-up-call-free',
    test: runTest,
    red: [{ title: 'F257 a call that its client gave up and left is recorded once', because: /not within 10000 ms/ }],
  },
  {
    patch: 'mcp-obedient-call-charged',
    test: runTest,
    red: [{ title: 'F257 a call whose tool obeyed its client is free', because: /not within 10000 ms/ }],
  },
  {
    patch: 'mcp-question-remembered',
    test: 'e2e/clients/mcp-input-required.e2e.int.test.ts',
    red: [
      { title: 'F258 runs the call that brings the input', because: /still required input|Received/ },
      { title: 'F258 runs the call that comes after', because: /agree|[Ee]licitation/ },
    ],
  },
  {
    patch: 'mcp-price-waited-for',
    test: 'packages/mcp/src/prices.test.ts',
    red: [{ title: 'F259 lists at once while Tollgate hangs', because: /Exceeded timeout/ }],
  },
  {
    patch: 'mcp-missing-tool-free',
    test: 'e2e/clients/mcp-misconfigured.e2e.int.test.ts',
    red: [
      {
        title: 'F260 lets nobody run a tool for nothing by a tool that does not exist, with requirePass',
        because: /isError/,
      },
    ],
  },
  {
    patch: 'python-shares-threads',
    test: 'e2e/clients/python-client.e2e.int.test.ts',
    red: [
      {
        title: 'F180 passes its tests as it is installed',
        because: /FAILED tests\/test_api\.py::test_requests_that_hang_take_no_thread_of_asyncio/,
      },
    ],
  },
  {
    patch: 'mcp-list-not-asked',
    test: 'e2e/clients/mcp-refusal-texts.long.int.test.ts',
    red: ['mcp 1.30.0', 'mcp 2.3.0'].map((server) => ({
      title: `F263 records what ran of ${server} and nothing else, and knows its texts`,
      because: /not within 10000 ms/,
    })),
  },
];
