import { canonicalResource, resourceMetadataUrl } from '@tollgate/contracts/forms/resource';
import { AppError } from '@tollgate/kernel/app-error';
import type { OutgoingFetch } from '@tollgate/runtime/outgoing/create-outgoing-fetch';
import { OutgoingError } from '@tollgate/runtime/outgoing/outgoing-error';
import type { ResourceClaim } from './sql-resource.ts';

export interface ProveResourceDeps {
  /** Calls what strangers name. */
  readonly outgoingFetch: OutgoingFetch;
  /** The issuer of our OAuth tokens; undefined: there are none. */
  readonly issuer: string | undefined;
}

/**
 * Asks the server at a resource whose it is: the metadata of a protected resource (RFC 9728) must name the resource, us and
 * the account. Whoever can write there is in charge of the server. Throws `resource_not_proved` with what is missing.
 */
export type ProveResource = (claim: ResourceClaim) => Promise<void>;

export function createProveResource({ outgoingFetch, issuer }: ProveResourceDeps): ProveResource {
  return async function proveResource(claim) {
    if (issuer === undefined)
      throw notProved('This Tollgate issues no OAuth tokens: its operator has not set PUBLIC_URL.');
    const url = resourceMetadataUrl(claim.resource);
    const lack = lackOf(await read(url), { ...claim, issuer });
    if (lack !== undefined) throw notProved(`The document at ${url} does not prove that the server is yours: ${lack}`);
  };

  async function read(url: string): Promise<unknown> {
    try {
      const answer = await outgoingFetch(url, { headers: { accept: 'application/json' } });
      if (answer.status !== 200) throw notProved(`${url} answers ${answer.status}, not 200. No redirect is followed.`);
      return parse(await answer.text());
    } catch (error) {
      if (error instanceof OutgoingError) throw notProved(`${url} cannot be read. ${error.message}`, error);
      throw error;
    }
  }
}

interface Expected extends ResourceClaim {
  readonly issuer: string;
}

/** Says what the document lacks, as a sentence for the builder. */
function lackOf(document: unknown, { resource, ownerId, issuer }: Expected): string | undefined {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return 'it is no JSON object.';
  const { resource: named, authorization_servers: servers, tollgate_account: account } = document as Members;
  if (typeof named !== 'string' || canonicalResource(named) !== resource) return `its \`resource\` is not ${resource}.`;
  if (!Array.isArray(servers) || !servers.includes(issuer))
    return `its \`authorization_servers\` does not have exactly ${issuer}.`;
  return account === ownerId ? undefined : `its \`tollgate_account\` is not ${ownerId}.`;
}

type Members = Readonly<Record<string, unknown>>;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function notProved(message: string, cause?: unknown): AppError {
  return new AppError('resource_not_proved', message, { cause });
}
