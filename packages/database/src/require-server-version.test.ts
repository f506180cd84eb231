import { describe, expect, it } from '@jest/globals';
import { requireServerVersion } from './require-server-version.ts';

describe('the version of a database server', () => {
  it.each([150_018, 170_006, 179_999])('%d is refused, with what to do', (version) => {
    expect(() => requireServerVersion(version)).toThrow(
      /^The database server is PostgreSQL 1[57], and Tollgate needs PostgreSQL 18 or newer\. .*Name a newer server\.$/,
    );
  });

  it.each([180_000, 180_004, 190_001])('%d is taken', (version) => {
    expect(() => requireServerVersion(version)).not.toThrow();
  });
});
