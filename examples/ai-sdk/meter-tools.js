/**
 * Records each execution of a tool by the AI SDK: `generateText({ …, ...meterTools(meter) })`, and `streamText` alike.
 * `slugOf` names the tool as Tollgate knows it. The AI SDK tells nobody of an error in a callback, so `onError` does.
 */
export function meterTools(meter, { slugOf = (name) => name, onError = console.error } = {}) {
  return {
    async onToolExecutionEnd({ toolCall, toolExecutionMs, toolOutput }) {
      const success = toolOutput.type === 'tool-result';
      const call = { tool: slugOf(toolCall.toolName), duration_ms: Math.round(toolExecutionMs), success };
      await meter.record(call).catch(onError);
    },
  };
}
