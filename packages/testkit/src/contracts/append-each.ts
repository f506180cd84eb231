/** Many at once, and no more than a log's few connections get through in the time that it lets an append wait. */
export async function appendEach(
  ids: readonly string[],
  append: (id: string, index: number) => unknown,
): Promise<void> {
  const rest = ids.entries();
  const appendSome = async (): Promise<void> => {
    for (const [index, id] of rest) await append(id, index);
  };
  await Promise.all(Array.from({ length: 20 }, appendSome));
}
