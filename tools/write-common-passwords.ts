import { mkdirSync, writeFileSync } from 'node:fs';
import { commonPasswordsFile, createCommonPasswords } from './common-passwords.ts';

mkdirSync(new URL('.', commonPasswordsFile), { recursive: true });
writeFileSync(commonPasswordsFile, createCommonPasswords());
