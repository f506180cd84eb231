// The pattern begins at the root of the checkout, so that a folder named dist or node_modules above it does no harm.
const installed = '<rootDir>/(.+/)?node_modules/';
const built = '<rootDir>/(.+/)?dist/';

// `pnpm test` without paths sets it: files of the long lane wait for `pnpm test --long`.
const otherLane = process.env.TEST_LANE === 'short' ? [String.raw`\.long\.int\.test\.ts$`] : [];

/** @type {import('jest').Config} */
export default {
  testMatch: ['<rootDir>/**/*.test.ts'],
  testPathIgnorePatterns: [installed, built, ...otherLane],
  modulePathIgnorePatterns: [installed, built],
  haste: { retainAllFiles: true }, // else jest sees no file below any folder named node_modules
  transformIgnorePatterns: [installed],
  watchPathIgnorePatterns: [built, '<rootDir>/.tollgate/'],
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
  reporters: [
    'default',
    './tools/no-skips-reporter.js',
    './tools/progress-reporter.js',
    './packages/testkit/src/jest/fault-reporter.ts',
  ],
  testSequencer: './packages/testkit/src/jest/test-sequencer.ts',
  coverageProvider: 'v8',
  // Integration tests boot real servers, each in its own time; a pure test never comes near this.
  testTimeout: 120_000,
  // Two workers left a fifth of two cores idle: many tests wait for a patience of the product.
  maxWorkers: 3,
  // Modules of a test file are never freed. Workers came to 3 GB, with a third of their CPU in garbage collection.
  workerIdleMemoryLimit: '700MB',
  // CI counts a worker that has to be killed as a failure; on a busy machine a worker exits late without being stuck.
  workerGracefulExitTimeout: 20_000,
};
