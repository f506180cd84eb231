import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A name for a folder that only this process uses, beside what it becomes or comes from. */
export function workingName(name: string, purpose: string): string {
  return `.${name}.${process.pid}.${purpose}`;
}

/** Removes the folders of processes that were killed: they hold secrets, and take room. */
export function removeOfTheDead(parent: string, purpose: string): void {
  for (const name of readdirSync(parent)) {
    const pid = new RegExp(`^\\..*\\.(\\d+)\\.${purpose}$`).exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // another user's
  }
}
