import { describe, expect, it } from '@jest/globals';

import { parseFlags } from './parse-flags.ts';

describe('parseFlags', () => {
  it('returns the given flags alone, under the names of their settings', () => {
    expect(parseFlags([], '1.0.0')).toEqual({});
    expect(parseFlags(['--port', '0', '--data=/srv/x'], '1.0.0')).toEqual({ PORT: '0', DATA_DIR: '/srv/x' });
    expect(parseFlags(['--host', '::1'], '1.0.0')).toEqual({ HOST: '::1' });
  });

  it('accepts the separator that pnpm passes on', () => {
    expect(parseFlags(['--', '--port', '0'], '1.0.0')).toEqual({ PORT: '0' });
  });
});
