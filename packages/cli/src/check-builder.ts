import { TollgateError, type Tollgate } from '@tollgate/sdk';

/** A Tollgate that hangs holds up no start: what is wrong then shows when a call asks. */
const timeoutMs = 2_000;
const options = { timeoutMs, retries: 0 };

export interface Metered {
  readonly slugs: readonly string[];
  /** Whether the passes of others pay: then the key must be of the account whose tools these are. */
  readonly byPass: boolean;
}

/**
 * The mistake that lets every call of these tools go wrong, in a sentence for their builder. The key is refused or may
 * not do what metering needs, or a tool is not there or is another builder's. Undefined if all is well, or if Tollgate cannot be asked now.
 */
export async function findBuildersMistake(tollgate: Tollgate, { slugs, byPass }: Metered): Promise<string | undefined> {
  const found = await Promise.all([mistakeOfKey(tollgate), ...slugs.map((slug) => mistakeOfTool(tollgate, slug))]);
  const mistake = found.find((one) => one !== undefined);
  return mistake ?? (byPass ? mistakeOfOwner(tollgate, slugs) : undefined);
}

/** No event is recorded: the service reads the key and its scopes before it refuses a batch of none. */
async function mistakeOfKey(tollgate: Tollgate): Promise<string | undefined> {
  return tollgate.events.recordBatch([], options).then(() => undefined, toMistake);
}

async function mistakeOfTool(tollgate: Tollgate, slug: string): Promise<string | undefined> {
  try {
    const { archived } = await tollgate.tools.get(slug, options);
    return archived ? `the tool ${slug} is archived: no call of it can be charged` : undefined;
  } catch (error) {
    if (error instanceof TollgateError && error.code === 'tool_not_found')
      return `there is no tool ${slug}: correct --tool, or register it with \`tollgate tools create ${slug}\``;
    return toMistake(error);
  }
}

/** The catalogue is public and names no owners, so the tools of the key's account are listed. */
async function mistakeOfOwner(tollgate: Tollgate, slugs: readonly string[]): Promise<string | undefined> {
  const foreign = new Set(slugs);
  try {
    for await (const { slug } of tollgate.tools.list({ owner: 'me', limit: 100 }, options)) {
      foreign.delete(slug);
      if (foreign.size === 0) return undefined;
    }
  } catch (error) {
    return toMistake(error);
  }
  const words = `the account of TOLLGATE_API_KEY does not own the tool ${[...foreign].join(', ')}`;
  return `${words}: no pass can pay it for a call. Correct --tool, or use a key of the tool's builder`;
}

function toMistake(error: unknown): string | undefined {
  if (!(error instanceof TollgateError)) throw error;
  if (error.status === 401) return 'TOLLGATE_API_KEY is refused: it is unknown or revoked';
  if (error.status !== 403) return undefined;
  return `TOLLGATE_API_KEY may not meter calls: ${error.detail} It needs the scopes events and read`;
}
