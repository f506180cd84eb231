import { BaseCallbackHandler } from '@langchain/core/callbacks/base';

/** Records each run of a tool by LangChain: `agent.invoke(input, { callbacks: [new MeterTools(meter)] })`. */
export class MeterTools extends BaseCallbackHandler {
  name = 'tollgate';
  awaitHandlers = true; // else the program could end before the event is on disk
  #running = new Map();
  #record;

  /** `slugOf` names the tool as Tollgate knows it. */
  constructor(meter, { slugOf = (name) => name, onError = console.error } = {}) {
    super();
    this.#record = (runId, success) => {
      const { tool, startedMs } = this.#running.get(runId);
      this.#running.delete(runId);
      const call = { tool: slugOf(tool), duration_ms: Math.round(performance.now() - startedMs), success };
      return meter.record(call).catch(onError);
    };
  }

  // oxlint-disable-next-line max-params -- LangChain gives them by place
  handleToolStart(_tool, _input, runId, _parentRunId, _tags, _metadata, runName) {
    this.#running.set(runId, { tool: runName, startedMs: performance.now() });
  }

  handleToolEnd(_output, runId) {
    return this.#record(runId, true);
  }

  handleToolError(_error, runId) {
    return this.#record(runId, false);
  }
}
