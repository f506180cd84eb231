import type { Forwarded, Forwarding } from '../forwarding.ts';
import { asObject, toError, withoutMeta, type JsonRpcMessage, type JsonRpcRequest } from '../json-rpc.ts';
import type { MeteringPorts } from '../meter-handlers.ts';
import { ownMeta } from '../payer.ts';
import type { TaskAsker } from './ask-server.ts';
import type { TaskOwners } from './task-owners.ts';

export interface TaskRequestsDeps extends Pick<MeteringPorts, 'tasks' | 'onError'> {
  readonly owners: Pick<TaskOwners, 'isForeign'>;
  readonly forwarding: Forwarding;
  readonly askerFor: (request: JsonRpcRequest) => TaskAsker;
}

type Answer = (forwarded: Forwarded) => Promise<JsonRpcMessage | undefined>;

/** Requests about tasks, each of a caller with this pass. What is behind a proxy may have the tasks of all passes. */
export interface TaskRequests {
  ask(request: JsonRpcRequest, passId: string | undefined): Answer;
  list(request: JsonRpcRequest, passId: string | undefined): Answer;
}

/** As servers say it of a task that is not there. */
const notFound = toError({ code: -32_602, message: 'Task not found' });
const unknown = toError({ code: -32_603, message: 'Tollgate cannot be asked whose task it is: try again later.' });

export function createTaskRequests({ tasks, owners, forwarding, askerFor, onError }: TaskRequestsDeps): TaskRequests {
  async function refuseForeign(taskId: string, passId: string | undefined): Promise<JsonRpcMessage | undefined> {
    try {
      return (await owners.isForeign(taskId, passId)) ? notFound : undefined;
    } catch (error) {
      onError(error);
      return unknown;
    }
  }

  async function askServer(request: JsonRpcRequest, taskId: string, forwarded: Forwarded) {
    const { response } = await forwarding.ask(forwarded, withoutMeta(request, ownMeta));
    await tasks.answered({ method: request.method ?? '', taskId }, response, askerFor(request));
    return response;
  }

  return {
    ask(request, passId) {
      const taskId = String(request.params?.['taskId']);
      return async (forwarded) =>
        (await refuseForeign(taskId, passId)) ?? (await askServer(request, taskId, forwarded));
    },
    list: (request, passId) => async (forwarded) => {
      const { response } = await forwarding.ask(forwarded, withoutMeta(request, ownMeta));
      const listed = response?.result?.['tasks'];
      if (response === undefined || !Array.isArray(listed)) return response;
      const refusals = await Promise.all(listed.map((task) => refuseForeign(String(asObject(task)['taskId']), passId)));
      const own: unknown[] = listed.filter((_, at) => refusals[at] === undefined);
      return { ...response, result: { ...response.result, tasks: own } };
    },
  };
}
