import type { AuthorizedMax } from '@tollgate/contracts/spending/authorizations';
import type { Price } from '@tollgate/contracts/tools/price';
import { AppError } from '@tollgate/kernel/app-error';
import { isPlainName } from '@tollgate/kernel/text';

export interface Tool {
  /** The slug; every other place calls it tool_id. */
  readonly slug: string;
  readonly ownerId: string;
  readonly name: string;
  readonly description: string | null;
  /** The `max` of an authorization that gives none; null: authorizations must give one. */
  readonly defaultMax: AuthorizedMax | null;
  /** The URL of the server that serves it, in the one spelling of the contract; null for none. */
  readonly resource: string | null;
  readonly archivedAtMs: number | null;
  readonly createdAtMs: number;
}

/** A tool with its price in force, as the API shows it. */
export interface PricedTool extends Tool {
  readonly price: Price;
  /** The public name of its owner; null if it has none. */
  readonly soldBy: string | null;
}

/** A bound that bounds nothing is none. */
export function boundOrNull(max: AuthorizedMax | null = null): AuthorizedMax | null {
  return max === null || Object.keys(max).length === 0 ? null : max;
}

/** In force from its hour until the next version's. A version never changes, since past hours are rated by it. */
export interface PriceVersion {
  readonly id: string;
  readonly slug: string;
  /**
   * A full hour. Null for the first version, which has no beginning, since an event may be 24 hours older than its
   * tool.
   */
  readonly effectiveFromMs: number | null;
  readonly price: Price;
  readonly createdAtMs: number;
}

export function toolArchived(): AppError {
  return new AppError('tool_archived', 'The tool is archived, so no token opens it any more.');
}

export function resourceTaken(resource: string): AppError {
  return new AppError('resource_taken', `A tool of another account names ${resource} as its resource.`);
}

export function toolNotFound(slug: string): AppError {
  return noTool(slug, `There is no tool \`${slug}\`.`);
}

/** For an account that may read the tool but not change it: 404, since a 403 would say that another account owns it. */
export function ownToolNotFound(slug: string): AppError {
  return noTool(slug, `You have no tool \`${slug}\`.`);
}

/** Text of a path that is no slug may be long or unprintable. Then the answer does not repeat it. */
function noTool(slug: string, message: string): AppError {
  return new AppError('tool_not_found', isPlainName(slug) ? message : 'The path has no valid slug of a tool.', {
    detail: { slug },
  });
}
