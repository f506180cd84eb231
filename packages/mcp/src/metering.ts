import type { BeginCall, PaidCall, Refusal } from '@tollgate/sdk/calls';

import type { SendToOwner, Unwrapped } from './approvals/send-to-owner.ts';
import { findTool } from './find-tool.ts';
import type { Incoming, Ran } from './incoming.ts';
import type { MetadataOf, PickMetadata } from './metadata-of.ts';
import { toError, toResult, type JsonRpcMessage, type ToolCall } from './json-rpc.ts';
import { isRefusalOrFailure, outcomeOf, type Outcome } from './outcome-of.ts';
import { toToolResult } from './refusal-result.ts';
import type { Repeats } from './repeats.ts';
import { createRunOnce, type Answer } from './run-once.ts';
import { readHandle } from './tasks/read-task.ts';
import type { TaskOwners } from './tasks/task-owners.ts';
import type { Tasks } from './tasks/tasks.ts';
import type { Claim, Undelivered } from './undelivered/undelivered.ts';

export interface ToolOptions {
  /** The slug under which a tool is registered at Tollgate; undefined for a tool whose calls are free. */
  readonly tool: (name: string) => string | undefined;
  /** The key of a caller who sends none. Default: `TOLLGATE_KEY` over stdio, whose one caller started the server. */
  readonly ownKey?: string | undefined;
  /** Picks what of a call becomes metadata of its event. Without it nothing of arguments or results leaves the server. */
  readonly metadata?: PickMetadata | undefined;
}

/** Runs a call if it may run, and records what it came to. Undefined: nobody gets an answer. */
export type MeterCall = (incoming: Incoming) => Promise<JsonRpcMessage | undefined>;

export interface MeteringDeps {
  readonly beginCall: BeginCall;
  readonly repeats: Repeats;
  readonly undelivered: Undelivered;
  readonly tasks: Tasks;
  readonly owners: TaskOwners;
  readonly metadataOf: MetadataOf;
  readonly sendToOwner: SendToOwner;
  readonly onError: (error: unknown) => void;
}

/**
 * A call is asked for, runs and ends. Given up while it is asked for, it never runs, and its money is free again. One that
 * runs is recorded when it has ended, whether or not somebody still waits for its answer.
 */
export function createMeterCall(deps: MeteringDeps, options: ToolOptions): MeterCall {
  const { beginCall, repeats, undelivered, tasks, owners, metadataOf, sendToOwner, onError } = deps;
  const runOnce = createRunOnce(repeats);
  return async function meterCall(came) {
    try {
      const unwrapped = await sendToOwner.unwrap(came);
      return await runOnce(unwrapped.incoming, () => admit(unwrapped));
    } catch (error) {
      onError(error); // a function of the server's author threw: the caller gets an answer all the same
      return toError({ code: -32_603, message: 'Metering this call failed.' });
    }
  };

  async function admit(unwrapped: Unwrapped): Promise<Answer> {
    const { incoming } = unwrapped;
    const tool = options.tool(incoming.call.name);
    if (tool === undefined) return runFree(incoming);
    return undelivered.follow(incoming, (claim) => begin(unwrapped, tool, claim));
  }

  async function begin(unwrapped: Unwrapped, tool: string, claim: Claim): Promise<Answer> {
    const { incoming } = unwrapped;
    const { call, isCancelled } = incoming;
    const traceparent = traceparentOf(call.meta);
    const ask = () => beginCall({ tool, name: call.name, key: keyOf(incoming), traceparent });
    const begun = await sendToOwner.begin(ask, unwrapped);
    if ('refusal' in begun) return refuse(begun.refusal, claim, unwrapped);
    const missed = await claim();
    if (missed === undefined && !isCancelled()) return runPaid(incoming, begun);
    await begun.release();
    return { response: missed, isFinal: missed !== undefined };
  }

  /** A refused caller may be allowed the next time. One who lacks money alone gets what is paid already. */
  async function refuse(refusal: Refusal, claim: Claim, unwrapped: Unwrapped): Promise<Answer> {
    const missed = wantsMoney.has(refusal.code) ? await claim() : undefined;
    if (missed !== undefined) return { response: missed, isFinal: true };
    const sent = await sendToOwner.answer(refusal, unwrapped);
    return { response: sent ?? toResult(toToolResult(refusal)), isFinal: false };
  }

  function keyOf({ callerKey, connectionKey }: Incoming): string | undefined {
    return callerKey ?? options.ownKey ?? connectionKey;
  }

  async function runPaid(incoming: Incoming, paid: PaidCall): Promise<Answer> {
    const ran = await incoming.run();
    const task = readHandle(ran.response);
    if (task !== undefined) {
      const { call, ask, listTools, owner } = incoming;
      owners.note(task.taskId, owner);
      await tasks.begin(task, { call, paid, asker: { ask, listTools, key: keyOf(incoming) } });
      return { response: ran.response, isFinal: true };
    }
    const outcome = await endOf(incoming, ran);
    if (outcome === 'not_run') await paid.release();
    else await paid.end({ success: outcome === 'success', metadata: metadataOf(incoming.call, ran.response) });
    return toAnswer(ran, outcome);
  }

  async function runFree(incoming: Incoming): Promise<Answer> {
    const ran = await incoming.run();
    const task = readHandle(ran.response);
    if (task !== undefined) {
      owners.note(task.taskId, incoming.owner);
      tasks.ignore(task);
    }
    return toAnswer(ran, await endOf(incoming, ran));
  }
}

/** SEP-414: an agent that traces says in `_meta` to which trace its call belongs, by W3C Trace Context. */
function traceparentOf({ traceparent }: ToolCall['meta']): string | undefined {
  return typeof traceparent === 'string' ? traceparent : undefined;
}

const wantsMoney: ReadonlySet<string> = new Set(['spending_cap_reached', 'approval_required', 'payment_required']);

/** A tool that fails after its client gave the call up has obeyed; one that answers has done its work all the same. */
async function endOf(
  { call, isCancelled, listTools }: Incoming,
  { response, neverRan = false }: Ran,
): Promise<Outcome> {
  if (neverRan) return 'not_run';
  if (response === undefined) return 'failure';
  const hasObeyed = isCancelled();
  const tool = isRefusalOrFailure(response) ? await findTool(call.name, listTools) : undefined;
  const outcome = outcomeOf(response, call, tool);
  return hasObeyed && outcome === 'failure' ? 'not_run' : outcome;
}

/** The response of a call that did not run is for that call alone: the next one may bring what it asked for. */
function toAnswer({ response }: Ran, outcome: Outcome): Answer {
  return { response, isFinal: outcome !== 'not_run' };
}
