/**
 * Records each run of a tool of the OpenAI Agents SDK: `tool({ …, execute: meterExecute({ meter, slug, execute }) })`. Its own
 * hooks do not tell a failed run from a good one, so `execute` is wrapped. The tool's result does not wait for Tollgate,
 * only for the disk.
 */
export function meterExecute({ meter, slug, execute, onError = console.error }) {
  return async function executeMetered(...args) {
    const startedMs = performance.now();
    let success = false;
    try {
      const result = await execute(...args);
      success = true;
      return result;
    } finally {
      const call = { tool: slug, duration_ms: Math.round(performance.now() - startedMs), success };
      await meter.record(call).catch(onError);
    }
  };
}
