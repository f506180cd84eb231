/** Appends 20 at once: as many as a log's few connections finish before an append times out. */
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
