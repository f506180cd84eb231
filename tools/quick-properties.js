import fc from '../node_modules/fast-check/lib/fast-check.js';

/** `pnpm unit` reads this in place of fast-check: each property gets a moment. `pnpm test` runs all the cases it asks for. */
fc.configureGlobal({ interruptAfterTimeLimit: 50 });

export default fc;
