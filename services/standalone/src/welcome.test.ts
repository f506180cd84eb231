import { describe, expect, it } from '@jest/globals';

import { baseUrlOf } from './base-url.ts';
import { welcomeText } from './welcome.ts';

describe('baseUrlOf', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8080'],
    ['0.0.0.0', 'http://127.0.0.1:8080'],
    ['::', 'http://[::1]:8080'],
    ['::1', 'http://[::1]:8080'],
    ['tollgate.local', 'http://tollgate.local:8080'],
  ])('%s is reached at %s', (host, url) => {
    expect(baseUrlOf({ host, port: 8080 })).toBe(url);
  });
});

describe('welcomeText', () => {
  it('shows the base URL, the data folder, the database server and three curl lines', () => {
    const text = welcomeText({
      baseUrl: 'http://127.0.0.1:8080',
      dataDir: '/srv/tollgate',
      postgres: '18.4 (embedded)',
      startedInMs: 1_234,
    });
    expect(text).toContain('Tollgate is ready: http://127.0.0.1:8080 (in 1.2 s)');
    expect(text).toMatch(/^Data: +\/srv\/tollgate$/m);
    expect(text).toMatch(/^PostgreSQL: +18\.4 \(embedded\)$/m);
    expect(text.match(/curl -s http:\/\/127\.0\.0\.1:8080\/v1\//g)).toHaveLength(3);
  });
});
