import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { TaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/interfaces.js';
import type { Task } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { resultOf, type StoredTask, type TaskFolder } from './mcp-task-store.ts';

const text = z.object({ city: z.string() });

function toTaskV1({ taskId, status, createdAt, lastUpdatedAt, ttl }: StoredTask): Task {
  return { taskId, status, createdAt, lastUpdatedAt, ttl };
}

/** The store of the first generation's servers, in the folder. */
function storeOf(tasks: TaskFolder): TaskStore {
  const find = (taskId: string) => {
    const task = tasks.find(taskId);
    if (task === undefined) throw new Error(`no task ${taskId}`);
    return task;
  };
  return {
    async createTask({ ttl = null }, _id, { params }) {
      return toTaskV1(tasks.create(text.parse(params?.['arguments']).city, ttl));
    },
    async getTask(taskId) {
      const task = tasks.find(taskId);
      return task === undefined ? null : toTaskV1(task);
    },
    async getTaskResult(taskId) {
      const task = find(taskId);
      if (task.status === 'cancelled') throw new Error('the task was cancelled');
      return resultOf(task);
    },
    async updateTaskStatus(taskId, status) {
      if (status === 'cancelled') tasks.cancel(taskId);
    },
    async storeTaskResult() {}, // its work goes on elsewhere
    async listTasks() {
      return { tasks: [] };
    },
  };
}

/** A server of SDK 1 with tasks of MCP 2025-11-25. */
export function createTaskServerV1(tasks: TaskFolder): McpServer {
  const taskStore = storeOf(tasks);
  const capabilities = { tasks: { cancel: {}, requests: { tools: { call: {} } } } };
  const server = new McpServer({ name: 'test', version: '1' }, { capabilities, taskStore });
  server.experimental.tasks.registerToolTask(
    'weather',
    { inputSchema: { city: z.string() }, execution: { taskSupport: 'required' } },
    {
      createTask: async (_, { taskStore: store, taskRequestedTtl: ttl = null }) => ({
        task: await store.createTask({ ttl }),
      }),
      getTask: async (_, { taskId, taskStore: store }) => store.getTask(taskId),
      getTaskResult: async (_, { taskId, taskStore: store }) => (await store.getTaskResult(taskId)) as never,
    },
  );
  return server;
}
