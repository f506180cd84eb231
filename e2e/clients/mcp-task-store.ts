import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A task as either form of MCP tells it, but for the names of its times. */
export interface StoredTask {
  readonly taskId: string;
  readonly status: 'working' | 'completed' | 'failed' | 'cancelled';
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** Milliseconds; null: without an end. */
  readonly ttl: number | null;
  readonly city: string;
}

/** Tasks whose work goes on elsewhere: in a folder, so that they outlive the servers that tell of them. */
export interface TaskFolder {
  create(city: string, ttl: number | null): StoredTask;
  find(taskId: string): StoredTask | undefined;
  cancel(taskId: string): void;
  /** All work ends now, each as its city says. */
  endAll(): void;
}

// oxlint-disable-next-line tollgate/restricted-syntax -- a program of its own has no other clock
const now = () => new Date().toISOString();

type Written = Pick<StoredTask, 'taskId' | 'createdAt' | 'ttl' | 'city'> & { readonly cancelledAt?: string };

export function openTasks(folder: string): TaskFolder {
  const fileOf = (taskId: string) => join(folder, `${taskId.replaceAll(/[^\w-]/g, '')}.json`);
  const endFile = join(folder, 'end');
  const write = (task: Written) => writeFileSync(fileOf(task.taskId), JSON.stringify(task));
  const read = (taskId: string): Written | undefined =>
    existsSync(fileOf(taskId)) ? (JSON.parse(readFileSync(fileOf(taskId), 'utf8')) as Written) : undefined;

  function toTask({ cancelledAt, ...task }: Written): StoredTask {
    const endedAt = existsSync(endFile) ? readFileSync(endFile, 'utf8') : undefined;
    if (cancelledAt !== undefined) return { ...task, status: 'cancelled', lastUpdatedAt: cancelledAt };
    if (endedAt === undefined) return { ...task, status: 'working', lastUpdatedAt: task.createdAt };
    const status = task.city === 'Atlantis' ? 'failed' : 'completed';
    return { ...task, status, lastUpdatedAt: endedAt };
  }

  return {
    create(city, ttl) {
      const task = { taskId: randomUUID(), createdAt: now(), ttl, city };
      write(task);
      return toTask(task);
    },
    find(taskId) {
      const task = read(taskId);
      return task && toTask(task);
    },
    cancel(taskId) {
      const task = read(taskId);
      if (task !== undefined) write({ ...task, cancelledAt: now() });
    },
    endAll: () => writeFileSync(endFile, now()),
  };
}

/** The answer of a call that has ended. Atlantis fails, as a tool that answers with an error; "Wrong" does so and has completed. */
export function resultOf({ city }: StoredTask) {
  const isError = city === 'Wrong' || city === 'Atlantis';
  return { content: [{ type: 'text' as const, text: city }], ...(isError && { isError }) };
}
