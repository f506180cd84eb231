import { writeFileSync } from 'node:fs';
import { isListed, parseBreachList } from '../services/auth/src/accounts/breach-list.ts';
import { breachedPasswordsFile } from '../services/auth/src/accounts/breached-passwords.ts';
import { passwordCodePointsMin } from '../services/auth/src/accounts/password-rules.ts';
import { codePointLength } from '../packages/kernel/src/text.ts';
import { breachSources, fetchedWords, installedWords } from './breach-sources.ts';
import { buildBreachList } from './build-breach-list.ts';

/** `pnpm breached-passwords [file] [python]`: a file that lacks one of its words is not written. */
const [file = breachedPasswordsFile, python = 'python3'] = process.argv.slice(2);
const words = [...installedWords(), ...fetchedWords(python)];
const bytes = buildBreachList(words, breachSources());
const list = await parseBreachList(bytes);
const lacking = words.filter((word) => codePointLength(word) >= passwordCodePointsMin && !isListed(list, word));
if (lacking.length > 0) throw new Error(`the list lacks ${lacking.length} of its words, such as ${lacking[0]}`);
writeFileSync(file, bytes);
