import type { Tollgate } from '@tollgate/sdk';
import { deriveSecret, type BeginCall } from '@tollgate/sdk/calls';

import { approvalsPurpose, createApprovalStates } from './approvals/approval-states.ts';
import { createSendToOwner } from './approvals/send-to-owner.ts';
import { nowMs } from './clock.ts';
import { meterHandlers, type MeterableServer, type MeteringPorts } from './meter-handlers.ts';
import { createMetadataOf } from './metadata-of.ts';
import { createMeterCall, type ToolOptions } from './metering.ts';
import { createPriceTools } from './prices.ts';
import { createRepeats } from './repeats.ts';
import { toReference } from './tasks/live-tasks.ts';
import { createTaskOwners } from './tasks/task-owners.ts';
import { createTasks } from './tasks/tasks.ts';
import { followRequests } from './undelivered/delivery.ts';
import { createKeptAnswers } from './undelivered/kept-answers.ts';
import { createMemoryRepeatStore } from './undelivered/memory-repeat-store.ts';
import type { RepeatStore } from './undelivered/repeat-store.ts';
import { answersPurpose, createSeal } from './undelivered/seal.ts';
import { createUndelivered } from './undelivered/undelivered.ts';

export interface MeterServerOptions extends Omit<ToolOptions, 'tool'> {
  /** The client of the builder's account. */
  readonly tollgate: Tollgate;
  /** How calls are paid and recorded: `createCalls` of `@tollgate/sdk/calls`. */
  readonly calls: BeginCall;
  /**
   * The slug under which a tool is registered at Tollgate: one for all tools of the server, or by name. Undefined: calls of
   * that tool are free.
   */
  readonly tool: string | ToolOptions['tool'];
  /**
   * Keeps answers that their clients have missed. Give a store that the processes of the server share, if there are
   * several: `createFolderRepeatStore`. Default: this process remembers them.
   */
  readonly repeatStore?: RepeatStore | undefined;
  /** Names the server among those that share a store. Default: the name that it gives itself. */
  readonly server?: string | undefined;
  /** Gets each error that no caller gets. Default: `process.emitWarning`. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const repeatsKeptMs = 600_000;
const repeatsMax = 1_000;
const pricesKeptMs = 60_000;
const pricesWaitMs = 1_000;

/**
 * Meters every tool call of an MCP server: a `McpServer` or `Server` of `@modelcontextprotocol/server` 2 or of
 * `@modelcontextprotocol/sdk` 1. Call it before `connect`. With servers that are made per request, make the metering once
 * with `createMetering`.
 */
export function meterServer<T extends MeterableServer>(server: T, options: MeterServerOptions): T {
  return createMetering(options)(server);
}

/** Makes a function that meters servers. They share what repeats need and the prices. */
export function createMetering(options: MeterServerOptions): <T extends MeterableServer>(server: T) => T {
  const ports = createMeteringPorts(options);
  return (server) => meterHandlers(server, ports);
}

/** The ports that `runProxy` needs for metering. */
export function createMeteringPorts(options: MeterServerOptions): MeteringPorts {
  const { tollgate, calls, onError = warn } = options;
  const tool = typeof options.tool === 'string' ? () => options.tool as string : options.tool;
  const repeats = createRepeats({ keepMs: repeatsKeptMs, callsMax: repeatsMax, nowMs });
  const { repeatStore: store = createMemoryRepeatStore(), server } = options;
  const seal = deriveSecret(tollgate, answersPurpose).then(createSeal);
  const answers = createKeptAnswers({ store, seal, onError });
  const undelivered = createUndelivered({ answers, server, onError });
  followRequests();
  const metadataOf = createMetadataOf(options.metadata, onError);
  const tasks = createTasks({ resume: calls.resume, metadataOf, onError, nowMs });
  const states = createApprovalStates(deriveSecret(tollgate, approvalsPurpose).then(createSeal));
  const sendToOwner = createSendToOwner({ states, nowMs });
  const owners = createTaskOwners(async (taskId) => {
    const paid = await calls.resume({ reference: toReference(taskId), key: undefined });
    return paid?.passId;
  });
  const deps = { beginCall: calls, repeats, undelivered, tasks, owners, metadataOf, sendToOwner, onError };
  return {
    meterCall: createMeterCall(deps, { ...options, tool }),
    toolOf: tool,
    tasks,
    owners,
    ownKey: options.ownKey,
    priceTools: createPriceTools({
      tool,
      readPrice: priceReader(tollgate),
      keepMs: pricesKeptMs,
      waitMs: pricesWaitMs,
      nowMs,
      onError,
    }),
    onError,
  };
}

function priceReader(tollgate: Tollgate) {
  return async (slug: string) => (await tollgate.tools.get(slug)).price;
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error.message : String(error), { type: 'TollgateWarning' });
}
