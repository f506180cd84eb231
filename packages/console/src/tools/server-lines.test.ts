import { expect, it } from '@jest/globals';
import { serverLines } from './server-lines.ts';

const settings = {
  url: 'https://tollgate.example.com',
  key: 'tg_live_x',
  slug: 'weather',
  listen: '127.0.0.1:9000',
  command: 'node server.mjs',
};

it('writes the lines that serve a tool', () => {
  expect(serverLines(settings)).toBe(
    `export TOLLGATE_URL=https://tollgate.example.com
export TOLLGATE_API_KEY=tg_live_x
npx tollgate mcp-proxy --listen 127.0.0.1:9000 --tool weather --gate -- node server.mjs`,
  );
});

it('quotes for the shell what is typed as one word', () => {
  expect(serverLines({ ...settings, listen: "x'; rm -rf ~ #" })).toContain(
    String.raw`--listen 'x'\''; rm -rf ~ #' --tool`,
  );
});
