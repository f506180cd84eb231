import { redIn, type RedCheck } from './red-check.ts';

/** The defences of closed accounts: they end, wait for what is open, and leave nothing of their owner but books. */
export const erasureRedChecks: readonly RedCheck[] = [
  ...redIn('services/auth/test/erasure/close-account.int.test.ts', [
    ['closing-keeps-passes', 'F361 ends its passes, consents and endpoints', /"passes": 2/],
  ]),
  ...redIn('services/auth/test/erasure/erase-account.int.test.ts', [
    ['erasure-keeps-metadata', 'F362 leaves nothing that its person wrote', /usage\.event\.metadata/],
    ['erasure-despite-dispute', 'F361 as long as this is open, and says so to the operator: dispute', /"erased": true/],
    ['erasure-marked-before-its-steps', 'F362 is whole in the end', /auth\.account\.email/],
  ]),
  ...redIn('services/auth/test/erasure/restored-backup.int.test.ts', [
    ['erasure-forgotten-by-restore', 'F363 a restored backup is erased again', /Array \[\]/],
  ]),
];
