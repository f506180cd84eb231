import type { Schemas } from '@tollgate/sdk/edge';

type Tool = Pick<Schemas['Tool'], 'slug' | 'resource' | 'archived'>;

interface Server {
  readonly name: string;
  readonly url: string;
}

/** The MCP servers that serve the tools of a pass, as far as their builders have named them. */
export function serversOf(tools: Schemas['Pass']['tools'], catalogue: readonly Tool[]): Server[] {
  const allowed = catalogue.filter(({ slug, archived }) => !archived && (tools === '*' || tools.includes(slug)));
  const byUrl = new Map<string, Server>();
  for (const { slug, resource } of allowed) {
    if (resource !== null && !byUrl.has(resource)) byUrl.set(resource, { name: slug, url: resource });
  }
  return [...byUrl.values()];
}

/** Writes the settings of MCP clients. The pass is the bearer token of each server. */
export function mcpConfiguration(servers: readonly Server[], key: string): string {
  const entry = ({ name, url }: Server) => [name, { type: 'http', url, headers: { Authorization: `Bearer ${key}` } }];
  return JSON.stringify({ mcpServers: Object.fromEntries(servers.map(entry)) as object }, undefined, 2);
}
