import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as ClientTransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StreamableHTTPServerTransport as TransportV1 } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolResultSchema, CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler, Server as ServerV2 } from '@modelcontextprotocol/server';
import { serveHttp, type HttpServer } from '@tollgate/testkit/http-server';
import { z } from 'zod';
import { resultOf, type StoredTask, type TaskFolder } from './mcp-task-store.ts';
import type { MeterOne } from './mcp-over-http.ts';
import { createTaskServerV1 } from './mcp-task-server-v1.ts';
import { serveFetch } from './serve-fetch.ts';
import { ask as askHttp } from './speak-http.ts';

const name = { name: 'test', version: '1' };

/** A client that calls `weather` as a task. */
export interface TaskClient {
  /** Gives the id of the task. */
  call(city: string, ttl?: number): Promise<string>;
  get(taskId: string): Promise<string>;
  /** Reads the answer of the call, as a client does that has seen the end. */
  result(taskId: string): Promise<unknown>;
  cancel(taskId: string): Promise<void>;
  close(): Promise<void>;
}

export interface TaskKind {
  /** Each request has a server of its own, of the metering that `meterNext` gives. */
  serve(tasks: TaskFolder, meterNext: () => MeterOne): Promise<HttpServer>;
  connect(url: string, pass: string | undefined): Promise<TaskClient>;
}

/** A task of the extension: since MCP 2026-07-28 it carries the answer of its call. */
function toTaskV2(task: StoredTask) {
  const { taskId, status, createdAt, lastUpdatedAt, ttl: ttlMs } = task;
  const ended = {
    ...(status === 'completed' && { result: { resultType: 'complete', ...resultOf(task) } }),
    ...(status === 'failed' && { error: { code: -32_603, message: 'no such city' } }),
  };
  return { taskId, status, createdAt, lastUpdatedAt, ttlMs, ...ended };
}

/** A server of SDK 2 with the extension, of which that SDK knows the names alone. */
function createTaskServerV2(tasks: TaskFolder): ServerV2 {
  const server = new ServerV2(name, {
    capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
  });
  const named = { params: z.looseObject({ taskId: z.string() }) };
  const find = (taskId: string) => {
    const task = tasks.find(taskId);
    if (task === undefined) throw Object.assign(new Error('no such task'), { code: -32_602 });
    return task;
  };
  server.setRequestHandler('tools/list', async () => ({
    tools: [{ name: 'weather', inputSchema: { type: 'object' } }],
  }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { city, ttl = null } = z.object({ city: z.string(), ttl: z.number().optional() }).parse(params.arguments);
    return { ...toTaskV2(tasks.create(city, ttl)), resultType: 'task' } as never;
  });
  server.setRequestHandler('tasks/get', named, async ({ taskId }) => toTaskV2(find(taskId)) as never);
  server.setRequestHandler('tasks/cancel', named, async ({ taskId }) => {
    tasks.cancel(find(taskId).taskId);
    return {};
  });
  return server;
}

const firstForm: TaskKind = {
  serve: async (tasks, meterNext) =>
    serveHttp((request, response) => {
      const transport = new TransportV1({ sessionIdGenerator: undefined } as object);
      response.once('close', () => void transport.close());
      const connected = meterNext()(createTaskServerV1(tasks)).connect(transport as never);
      void connected.then(() => transport.handleRequest(request, response));
    }),
  async connect(url, pass) {
    const client = new ClientV1(name, { capabilities: { tasks: {} } });
    const headers: Record<string, string> = pass === undefined ? {} : { Authorization: `Bearer ${pass}` };
    await client.connect(new ClientTransportV1(new URL(url), { requestInit: { headers } }) as never);
    return toTaskClient(client);
  },
};

export function toTaskClient(client: ClientV1): TaskClient {
  return {
    async call(city, ttl) {
      const params = { name: 'weather', arguments: { city }, task: ttl === undefined ? {} : { ttl } };
      return (await client.request({ method: 'tools/call', params }, CreateTaskResultSchema)).task.taskId;
    },
    get: async (taskId) => (await client.experimental.tasks.getTask(taskId)).status,
    result: (taskId) => client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema),
    cancel: async (taskId) => void (await client.experimental.tasks.cancelTask(taskId)),
    close: () => client.close(),
  };
}

/** The client of SDK 2 refuses results of the type `task`, so its requests are written here. */
const extension: TaskKind = {
  serve: async (tasks, meterNext) => {
    const handler = createMcpHandler(() => meterNext()(createTaskServerV2(tasks)) as never);
    return serveFetch((request) => handler.fetch(request));
  },
  async connect(url, pass) {
    const request = async (method: string, mcpName: string, params: object): Promise<Record<string, unknown>> => {
      const version = '2026-07-28';
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientInfo': name,
        'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
      };
      const headers = { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': mcpName };
      const { messages, status } = await askHttp(url, {
        pass,
        headers,
        message: { id: 1, method, params: { ...params, _meta } },
      });
      const answer = messages.find(({ id }) => id === 1);
      if (answer?.result === undefined) throw new Error(`${method}: ${status} ${JSON.stringify(messages)}`);
      return answer.result;
    };
    const get = (taskId: string) => request('tasks/get', taskId, { taskId });
    return {
      async call(city, ttl) {
        const { taskId, resultType } = await request('tools/call', 'weather', {
          name: 'weather',
          arguments: { city, ttl },
        });
        if (resultType !== 'task') throw new Error(`the call was answered with ${String(resultType)}`);
        return String(taskId);
      },
      get: async (taskId) => String((await get(taskId))['status']),
      result: async (taskId) => (await get(taskId))['result'],
      cancel: async (taskId) => void (await request('tasks/cancel', taskId, { taskId })),
      close: async () => undefined,
    };
  },
};

export const taskKinds: Readonly<Record<string, TaskKind>> = {
  'MCP 2025-11-25, one server per request': firstForm,
  'the extension of MCP 2026-07-28, one server per request': extension,
};
