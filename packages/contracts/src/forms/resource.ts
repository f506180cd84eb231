import { z } from 'zod';

const resourceLengthMax = 2_048;

/**
 * The one spelling of the address of a builder's server, as a tool, a token and a consent name it: parsed, and without the
 * slash of an empty path. Undefined for what cannot be such an address. `http` leads to the machine itself alone.
 */
export function canonicalResource(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || text.includes('#') || `${url.username}${url.password}` !== '') return undefined;
  const { origin, pathname, search } = url;
  const resource = pathname === '/' && search === '' ? origin : `${origin}${pathname}${search}`;
  return isAdmitted(url) && resource.length <= resourceLengthMax ? resource : undefined;
}

/** Where a server says whose it is (RFC 9728, section 3.1). Takes a resource in its one spelling. */
export function resourceMetadataUrl(resource: string): string {
  const { origin, pathname, search } = new URL(resource);
  return `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}${search}`;
}

function isAdmitted({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && loopbackHost.test(hostname));
}

/** A host as a parsed URL has it. */
const loopbackHost = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export const resourceSchema = z
  .string()
  .refine((text) => canonicalResource(text) !== undefined, {
    error: `must be an https URL of at most ${resourceLengthMax} characters, without a fragment, a user name or a password`,
    params: { code: 'invalid_resource' },
  })
  .transform((text) => canonicalResource(text) ?? text)
  .meta({
    description: 'The https URL of the MCP server that serves the tool. OAuth tokens for this resource open the tool.',
    format: 'uri',
    maxLength: resourceLengthMax,
    examples: ['https://mcp.example.com/mcp'],
  });
