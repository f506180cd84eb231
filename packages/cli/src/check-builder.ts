import { TollgateError, type Tollgate } from '@tollgate/sdk';

/** A Tollgate that hangs holds up no start: what is wrong then shows when a call asks. */
const timeoutMs = 2_000;
const options = { timeoutMs, retries: 0 };

/**
 * The mistake that lets every call of these tools go wrong, in a sentence for their builder. The key is refused or may
 * not do what metering needs, or a tool is not there. Undefined if all is well, or if Tollgate cannot be asked now.
 */
export async function findBuildersMistake(tollgate: Tollgate, slugs: readonly string[]): Promise<string | undefined> {
  const found = await Promise.all([mistakeOfKey(tollgate), ...slugs.map((slug) => mistakeOfTool(tollgate, slug))]);
  return found.find((mistake) => mistake !== undefined);
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

function toMistake(error: unknown): string | undefined {
  if (!(error instanceof TollgateError)) throw error;
  if (error.status === 401) return 'TOLLGATE_API_KEY is refused: it is unknown or revoked';
  if (error.status !== 403) return undefined;
  return `TOLLGATE_API_KEY may not meter calls: ${error.detail} It needs the scopes events and read`;
}
