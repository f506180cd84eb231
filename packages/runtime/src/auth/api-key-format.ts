/**
 * An API key is `tg_live_`, a pass `tg_pass_`, the cookie of a session `tg_session_`, and the token of an embed `tg_embed_`, + 32 base62 characters (190 bits of randomness) + 6 base62 characters of checksum. Scanners
 * of leaked secrets find it by the prefix. By the checksum (CRC-32 of all characters before it), typing errors and
 * invented keys are refused without a look-up. Only the SHA-256 of either is stored: a secret that nobody can guess
 * needs no salt.
 */
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const keyPrefix = 'tg_live_';
const passPrefix = 'tg_pass_';
const sessionPrefix = 'tg_session_';
const embedPrefix = 'tg_embed_';
const secretLength = 32;
const checksumLength = 6;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretShape = `[0-9A-Za-z]{${secretLength + checksumLength}}$`;
const keyShape = new RegExp(`^${keyPrefix}${secretShape}`);
const passShape = new RegExp(`^${passPrefix}${secretShape}`);
const sessionSecretShape = new RegExp(`^${sessionPrefix}${secretShape}`);
const embedTokenShape = new RegExp(`^${embedPrefix}${secretShape}`);

/** Bytes above this would favour the alphabet's first characters: 248 = 4 × 62. */
const unbiasedMax = 248;

/** Makes a new key. Its owner sees it once; it is never stored and never logged. */
export function createApiKey(random: Random = randomBytes): string {
  return createSecret(keyPrefix, random);
}

/** Makes the key of a new pass. */
export function createPassKey(random: Random = randomBytes): string {
  return createSecret(passPrefix, random);
}

/** Makes the cookie of a new session. */
export function createSessionSecret(random: Random = randomBytes): string {
  return createSecret(sessionPrefix, random);
}

/** Makes the token of an embed. */
export function createEmbedToken(random: Random = randomBytes): string {
  return createSecret(embedPrefix, random);
}

type Random = (bytes: number) => Uint8Array;

function createSecret(prefix: string, random: Random): string {
  let secret = '';
  while (secret.length < secretLength) {
    for (const byte of random(secretLength)) {
      if (byte < unbiasedMax && secret.length < secretLength) secret += alphabet[byte % alphabet.length];
    }
  }
  return prefix + secret + checksumOf(prefix + secret);
}

/** Whether a bearer token claims to be an API key. Every other token is judged as a JWT. */
export function looksLikeApiKey(token: string): boolean {
  return token.startsWith('tg_');
}

/** Whether a bearer token claims to be a pass. */
export function looksLikePass(token: string): boolean {
  return token.startsWith(passPrefix);
}

/** Whether a bearer token claims to be that of an embed. */
export function looksLikeEmbedToken(token: string): boolean {
  return token.startsWith(embedPrefix);
}

/** Whether shape and checksum are right. An embed may still be unknown or ended. */
export function isEmbedToken(token: string): boolean {
  return embedTokenShape.test(token) && hasChecksum(token);
}

/** Whether shape and checksum are right. A pass may still be unknown, revoked or expired. */
export function isPassKey(token: string): boolean {
  return passShape.test(token) && hasChecksum(token);
}

/** Whether shape and checksum are right. A key that passes may still be unknown or revoked. */
export function isApiKey(token: string): boolean {
  return keyShape.test(token) && hasChecksum(token);
}

/** Whether shape and checksum are right. A session may still be unknown or ended. */
export function isSessionSecret(text: string): boolean {
  return sessionSecretShape.test(text) && hasChecksum(text);
}

function hasChecksum(token: string): boolean {
  return token.endsWith(checksumOf(token.slice(0, -checksumLength)));
}

/** The hash under which a key, a pass, a cookie or an embed is stored and looked up. */
export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** The beginning and the end of a key or a pass, which its owner may always see. */
export function partsOfApiKey(key: string): { readonly prefix: string; readonly lastFour: string } {
  return { prefix: key.slice(0, keyPrefix.length + 4), lastFour: key.slice(-4) };
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let index = 0; index < checksumLength; index++) {
    checksum = alphabet.charAt(rest % alphabet.length) + checksum;
    rest = Math.floor(rest / alphabet.length);
  }
  return checksum;
}
