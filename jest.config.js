/** @type {import('jest').Config} */
export default {
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  watchPathIgnorePatterns: ['/dist/', '/.tollgate/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  // Packages run from source here, so a test never sees a stale build.
  testEnvironmentOptions: { customExportConditions: ['@tollgate/source', 'node', 'node-addons'] },
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  // One PostgreSQL a run, started when the first test asks for a database and gone with the run, however it ends.
  globalSetup: './packages/testkit/src/jest/global-setup.ts',
  globalTeardown: './packages/testkit/src/jest/global-teardown.ts',
  reporters: ['default', './tools/no-skips-reporter.js', './packages/testkit/src/jest/fault-reporter.ts'],
  coverageProvider: 'v8',
  // Integration tests boot real servers, each in its own time; a pure test never comes near this.
  testTimeout: 120_000,
  // The servers that the tests start need the rest of the machine; more workers would only wait for each other.
  maxWorkers: 2,
};
