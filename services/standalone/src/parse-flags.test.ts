import { describe, expect, it } from '@jest/globals';

import { parseFlags } from './parse-flags.ts';

describe('parseFlags', () => {
  it('gives only what was given, under the names of the settings', () => {
    expect(parseFlags([], '1.0.0')).toEqual({});
    expect(parseFlags(['--port', '0', '--data=/srv/x'], '1.0.0')).toEqual({ PORT: '0', DATA_DIR: '/srv/x' });
    expect(parseFlags(['--host', '::1'], '1.0.0')).toEqual({ HOST: '::1' });
  });

  it('takes the separator that pnpm passes on', () => {
    expect(parseFlags(['--', '--port', '0'], '1.0.0')).toEqual({ PORT: '0' });
  });
});
