import { redIn, type RedCheck } from './red-check.ts';

/** The defences of metered MCP servers. */
export const mcpRedChecks: readonly RedCheck[] = [
  {
    patch: 'mcp-list-not-asked',
    test: 'e2e/clients/mcp-refusal-texts.long.int.test.ts',
    red: ['mcp 1.30.0', 'mcp 2.3.0'].map((server) => ({
      title: `F263 records what ran of ${server} and nothing else, and knows its texts`,
      because: /not within 10000 ms/,
    })),
  },
  ...redIn('e2e/clients/mcp-proxy-one-run.long.int.test.ts', [
    ['mcp-call-known-by-its-id', 'F257 records each of the calls whose ids collide', /not within [12]0000 ms/],
  ]),
  ...redIn('e2e/clients/mcp-proxy-sessions.long.int.test.ts', [
    ['mcp-session-for-any-pass', 'F290 opens a session for the pass that began it, and for no other', /Expected: 404/],
  ]),
  ...redIn('e2e/clients/mcp-one-run.e2e.int.test.ts', [
    ['mcp-given-up-call-free', 'F257 a call that its client gave up and left is recorded once', /not within 10000 ms/],
    ['mcp-obedient-call-charged', 'F257 a call whose tool obeyed its client is free', /not within 10000 ms/],
  ]),
  ...redIn('e2e/clients/mcp-input-required.e2e.int.test.ts', [
    ['mcp-question-remembered', 'F258 runs the call that comes after', /agree|[Ee]licitation/],
    ['mcp-other-input-answered', 'F258 never gives the answer to one input for another input', /Rome 2/],
  ]),
  ...redIn('e2e/clients/mcp-broken-answer.long.int.test.ts', [
    ['mcp-missed-answer-forgotten', 'F298 is given what it missed and pays once', /Expected: "while the|not within/],
    ['mcp-delivered-answer-kept', 'F299 has two calls after an answer that it has', /Oslo 1/],
    ['mcp-missed-answer-for-any-pass', 'F299 leaves its answer to no other pass', /Oslo 1/],
    ['mcp-missed-answer-without-asking', 'F299 gets nothing any more once its pass is revoked', /pass_refused/],
  ]),
  ...redIn('e2e/clients/mcp-tasks.e2e.int.test.ts', [
    ['mcp-handle-is-an-outcome', 'F295 is paid once it has ended', /[+] +0,/],
    [
      'mcp-task-result-not-asked',
      'F295 that fails costs what a failed call costs: MCP 2025-11-25',
      /not within 10000 ms/,
    ],
    ['mcp-cancelled-task-charged', 'F295 that is cancelled is free', /not within 10000 ms/],
    ['mcp-task-not-watched', 'F297 that nobody asks about again is free', /not within 20000 ms/],
  ]),
  ...redIn('e2e/clients/mcp-proxy-tasks.long.int.test.ts', [
    ['mcp-task-of-others-unpaid', 'F296 a proxy that is killed loses no task', /not within 10000 ms/],
    ['mcp-task-for-any-pass', 'F344 leaves a task to the pass that began it', /resolved instead of rejected/],
  ]),
  ...redIn('e2e/clients/mcp-oauth.e2e.int.test.ts', [
    ['mcp-repeat-known-by-its-token', 'F345 finds its repeat under the next token of its pass', /spending_cap_reached/],
    ['mcp-missing-scope-told-for-ever', 'F346 names the scopes in a 403, once a minute', /[+] +403/],
    [
      'mcp-missing-scope-named-alone',
      'F346 names the scopes in a 403, once a minute',
      /[+] .*tollgate:spend tollgate:tool:tool-/,
    ],
  ]),
  ...redIn('e2e/clients/mcp-resumed-answer.e2e.int.test.ts', [
    ['mcp-resumable-answer-kept', 'F299 gets its answer there, and no second time', /Oslo 2/],
  ]),
  ...redIn('packages/mcp/src/listening/check-headers.test.ts', [
    ['mcp-name-header-not-compared', 'with another name are taken at their word', /Mcp-Name/],
  ]),
  ...redIn('packages/mcp/src/prices.test.ts', [
    ['mcp-price-waited-for', 'F259 lists at once while Tollgate hangs', /Exceeded timeout/],
  ]),
  ...redIn('e2e/clients/mcp-misconfigured.e2e.int.test.ts', [
    [
      'mcp-missing-tool-free',
      'F260 lets nobody run a tool for nothing by a tool that does not exist, with requirePass',
      /isError/,
    ],
  ]),
  ...redIn('e2e/clients/python-client.e2e.int.test.ts', [
    [
      'python-repeat-known-by-its-key',
      'F180 passes its tests as it is installed',
      /_ test_a_repeat_under_the_next_key_of_its_pass_is_the_same_repeat _/,
    ],
    [
      'python-shares-threads',
      'F180 passes its tests as it is installed',
      /_ test_requests_that_hang_take_no_thread_of_asyncio _/,
    ],
  ]),
  ...redIn('e2e/clients/python-generations.long.int.test.ts', [
    [
      'python-handle-is-an-outcome',
      'F379 F380 charges a task of the first generation',
      /_ test_f379_a_task_is_paid_once_it_has_ended_whoever_sees_it_and_not_before _/,
    ],
    [
      'python-task-not-watched',
      'F379 F380 charges a task of the first generation',
      /_ test_f380_a_task_that_nobody_asks_about_again_is_settled_or_free_at_its_end_of_life/,
    ],
  ]),
];
