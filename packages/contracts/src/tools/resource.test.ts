import { describe, expect, it } from '@jest/globals';
import { canonicalResource, resourceMetadataUrl } from '../forms/resource.ts';
import { updateToolSchema } from './tools.ts';

describe('the address of a builder’s server', () => {
  it.each([
    ['https://mcp.example.com', 'https://mcp.example.com'],
    ['https://mcp.example.com/', 'https://mcp.example.com'],
    ['HTTPS://MCP.Example.com:443/', 'https://mcp.example.com'],
    ['https://mcp.example.com:8443/', 'https://mcp.example.com:8443'],
    ['https://mcp.example.com/mcp', 'https://mcp.example.com/mcp'],
    ['https://mcp.example.com/mcp/', 'https://mcp.example.com/mcp/'],
    ['https://mcp.example.com/a/../mcp', 'https://mcp.example.com/mcp'],
    ['https://mcp.example.com/MCP', 'https://mcp.example.com/MCP'],
    ['https://mcp.example.com/?', 'https://mcp.example.com'],
    ['https://mcp.example.com/?a=b', 'https://mcp.example.com/?a=b'],
    ['https://bücher.example/mcp', 'https://xn--bcher-kva.example/mcp'],
    ['http://localhost:9000/mcp', 'http://localhost:9000/mcp'],
    ['http://a.localhost:9000/mcp', 'http://a.localhost:9000/mcp'],
    ['http://127.0.0.1:9000/', 'http://127.0.0.1:9000'],
    ['http://2130706433:9000/', 'http://127.0.0.1:9000'],
    ['http://[::1]:9000/mcp', 'http://[::1]:9000/mcp'],
  ])('%s is %s', (text, resource) => {
    expect(canonicalResource(text)).toBe(resource);
    expect(canonicalResource(resource)).toBe(resource);
    expect(updateToolSchema.parse({ resource: text })).toEqual({ resource });
  });

  it.each([
    'https://mcp.example.com/#',
    'https://mcp.example.com/mcp#part',
    'https://user@mcp.example.com/',
    'https://:word@mcp.example.com/',
    'http://mcp.example.com/',
    'http://localhost.example.com/',
    'http://127.0.0.1.example.com/',
    'http://10.0.0.1/',
    'http://[::ffff:7f00:1]/',
    'ftp://localhost/',
    'urn:example:mcp',
    'javascript:alert(1)',
    'mcp.example.com',
    '/mcp',
    '',
    `https://mcp.example.com/${'x'.repeat(2_048)}`,
  ])('%s is none', (text) => {
    expect(canonicalResource(text)).toBeUndefined();
    const { error } = updateToolSchema.safeParse({ resource: text });
    expect(error?.issues).toEqual([expect.objectContaining({ path: ['resource'] })]);
  });

  it('has its metadata beside its path (RFC 9728, section 3.1)', () => {
    const wellKnown = 'https://mcp.example.com/.well-known/oauth-protected-resource';
    expect(resourceMetadataUrl('https://mcp.example.com')).toBe(wellKnown);
    expect(resourceMetadataUrl('https://mcp.example.com/mcp')).toBe(`${wellKnown}/mcp`);
    expect(resourceMetadataUrl('https://mcp.example.com/mcp/?a=b')).toBe(`${wellKnown}/mcp/?a=b`);
    expect(resourceMetadataUrl('https://mcp.example.com/?a=b')).toBe(`${wellKnown}?a=b`);
  });
});
