import config from './jest.config.js';

const { globalSetup: _start, globalTeardown: _stop, ...settings } = config;

/** @type {import('jest').Config} */
export default {
  ...settings,
  // Pure tests ask for no server, so none is kept for them.
  testMatch: ['<rootDir>/**/*.test.ts', '!**/*.int.test.ts'],
  reporters: ['default', './tools/no-skips-reporter.js'],
  moduleNameMapper: { '^fast-check$': '<rootDir>/tools/quick-properties.js' },
};
