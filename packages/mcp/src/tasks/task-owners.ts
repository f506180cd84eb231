import { NewestMap } from '../newest-map.ts';

/** Which pass began a task: no other one is told of it. */
export interface TaskOwners {
  note(taskId: string, passId: string | undefined): void;
  /**
   * Whether the task is of another pass. False also for one that has ended, and that another process has begun: then its id, which
   * nobody can guess, is all that there is. Rejects if it has to be asked, and cannot be.
   */
  isForeign(taskId: string, passId: string | undefined): Promise<boolean>;
}

const tasksMax = 10_000;

/** `find` gives the pass of a task that another process has begun. */
export function createTaskOwners(find: (taskId: string) => Promise<string | undefined>): TaskOwners {
  const owners = new NewestMap<string | undefined>(tasksMax);

  async function ownerOf(taskId: string): Promise<string | undefined> {
    if (owners.has(taskId)) return owners.get(taskId);
    const found = await find(taskId);
    if (found !== undefined) owners.set(taskId, found);
    return found;
  }

  return {
    note: (taskId, passId) => void owners.set(taskId, passId),
    async isForeign(taskId, passId) {
      const owner = await ownerOf(taskId);
      return owner !== undefined && owner !== passId;
    },
  };
}
