import { expect, it } from '@jest/globals';
import { mcpConfiguration, serversOf } from './mcp-configuration.ts';

const tool = (slug: string, resource: string | null, archived = false) => ({ slug, resource, archived });
const catalogue = [
  tool('forecast', 'https://weather.example/mcp'),
  tool('history', 'https://weather.example/mcp'),
  tool('search', 'https://search.example/mcp'),
  tool('old', 'https://old.example/mcp', true),
  tool('local', null),
];

it('names each server of the tools of a pass once, and none of a tool that it does not allow or that is archived', () => {
  expect(serversOf(['history', 'forecast', 'old', 'local'], catalogue)).toEqual([
    { name: 'forecast', url: 'https://weather.example/mcp' },
  ]);
  expect(serversOf('*', catalogue).map(({ name }) => name)).toEqual(['forecast', 'search']);
});

it('writes the settings of an MCP client, with the pass as the bearer token', () => {
  const [server] = serversOf(['search'], catalogue);
  expect(server && JSON.parse(mcpConfiguration([server], 'tg_pass_x'))).toEqual({
    mcpServers: {
      search: { type: 'http', url: 'https://search.example/mcp', headers: { Authorization: 'Bearer tg_pass_x' } },
    },
  });
});
