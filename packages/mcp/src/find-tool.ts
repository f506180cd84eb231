import { asObject } from './json-rpc.ts';
import { within } from './within.ts';

/** The entry of a tool in a server's list; `unlisted` if it lists others alone. Undefined: the list cannot be read. */
export type FoundTool = Readonly<Record<string, unknown>> | 'unlisted' | undefined;

/** Asks the server for its `tools/list`, from a cursor on. */
export type ListTools = (params: {
  readonly cursor?: string;
}) => Promise<Readonly<Record<string, unknown>> | undefined>;

const pagesMax = 100;
/** An answer waits for this. */
const listedWithinMs = 2_000;

export async function findTool(name: string, listTools: ListTools): Promise<FoundTool> {
  return within(
    look(name, listTools).catch(() => undefined),
    listedWithinMs,
  );
}

async function look(name: string, listTools: ListTools): Promise<FoundTool> {
  let cursor: string | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const { tools, nextCursor } = (await listTools(cursor === undefined ? {} : { cursor })) ?? {};
    if (!Array.isArray(tools)) return undefined;
    const tool = tools.map(asObject).find((one) => one['name'] === name);
    if (tool !== undefined) return tool;
    if (typeof nextCursor !== 'string') return 'unlisted';
    cursor = nextCursor;
  }
  return undefined;
}
