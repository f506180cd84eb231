import { isAppError } from '@tollgate/kernel/app-error';

/** Returns the object that the processor has, or undefined where it says that it has none. */
export async function ifFound<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isAppError(error, 'not_found')) return undefined;
    throw error;
  }
}
