import type { Queryable } from '@tollgate/database/database';

const read = { name: 'billing.read_framers', text: 'select origins from auth.embed_frame_v1 where embed_id = $1' };

/** The origins whose pages may frame an embed. None for one that nobody made. */
export async function readFramers(worker: Queryable, embedId: string): Promise<readonly string[]> {
  const [row] = await worker.query<{ origins: string[] }>(read, [embedId]);
  return row?.origins ?? [];
}
