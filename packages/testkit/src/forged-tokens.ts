import { createHmac, generateKeyPairSync, sign as signBytes, type KeyObject } from 'node:crypto';

type Json = Readonly<Record<string, unknown>>;

export interface Forgery {
  readonly title: string;
  readonly token: string;
}

/** A real signing key of the service. With it a test changes one thing of a token at a time. */
export interface RealKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

export function signToken(key: RealKey, header: unknown, claims: unknown): string {
  return signed(key, `${encode(header)}.${encode(claims)}`, 'ieee-p1363');
}

function signed({ privateKey }: RealKey, input: string, dsaEncoding: 'der' | 'ieee-p1363'): string {
  const signature = signBytes('sha256', Buffer.from(input), { key: privateKey, dsaEncoding });
  return `${input}.${signature.toString('base64url')}`;
}

/** F67: each differs from a valid token in one thing, or is signed with another key. */
export function forgeTokens(key: RealKey, genuine: string): Forgery[] {
  const [headerPart = '', claimsPart = '', signaturePart = ''] = genuine.split('.');
  const header = decode(headerPart);
  const claims = decode(claimsPart);
  const changed: Changed = (title, change) => ({
    title,
    token: signToken(key, { ...header, ...change.header }, { ...claims, ...change.claims }),
  });
  return [
    ...unsigned(header, claimsPart),
    ...otherwiseSigned(key, header, claimsPart),
    ...wrongHeaders(changed),
    ...wrongClaims(changed, claims),
    ...mutilated({ headerPart, claimsPart, signaturePart }),
  ];
}

function decode(part: string): Json {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Json; // a token of our own
}

function unsigned(header: Json, claimsPart: string): Forgery[] {
  return ['none', 'None', 'NONE', 'nOnE', ''].flatMap((alg) => {
    const [title, input] = [`alg ${JSON.stringify(alg)}`, `${encode({ ...header, alg })}.${claimsPart}`];
    return titled({ [`${title} without a signature`]: `${input}.`, [`${title} with any signature`]: `${input}.AAAA` });
  });
}

function titled(tokens: Readonly<Record<string, string>>): Forgery[] {
  return Object.entries(tokens).map(([title, token]) => ({ title, token }));
}

/** Tokens signed with public knowledge as an HMAC secret, and with the forger's own keys. */
function otherwiseSigned(key: RealKey, header: Json, claimsPart: string): Forgery[] {
  const pem = key.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const secrets = [pem, pem.trim(), JSON.stringify(key.publicKey.export({ format: 'jwk' })), key.keyId, 'secret', ''];
  const confusions = ['HS256', 'HS384', 'HS512'].flatMap((alg) =>
    secrets.map((secret, index) => {
      const input = `${encode({ ...header, alg })}.${claimsPart}`;
      const mac = createHmac(alg.replace('HS', 'sha'), secret).update(input).digest('base64url');
      return { title: `${alg} keyed with public knowledge ${index}`, token: `${input}.${mac}` };
    }),
  );
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const own: RealKey = { keyId: key.keyId, privateKey: ec.privateKey, publicKey: ec.publicKey };
  const jwk = ec.publicKey.export({ format: 'jwk' });
  const claims = decode(claimsPart);
  const rsInput = `${encode({ ...header, alg: 'RS256' })}.${claimsPart}`;
  return [
    ...confusions,
    ...titled({
      'another key under our kid': signToken(own, header, claims),
      'another key in jwk': signToken(own, { ...header, jwk }, claims),
      'another key in jwk, no kid': signToken(own, { alg: 'ES256', typ: 'at+jwt', jwk }, claims),
      'RS256 under our kid': `${rsInput}.${signBytes('sha256', Buffer.from(rsInput), rsa.privateKey).toString('base64url')}`,
      'a DER signature': signed(key, `${encode(header)}.${claimsPart}`, 'der'),
    }),
  ];
}

type Changed = (title: string, change: { header?: Json; claims?: Json }) => Forgery;

function wrongHeaders(changed: Changed): Forgery[] {
  const words = '../../../../dev/null /dev/null https://evil.example/jwks.json __proto__ constructor unknown'.split(
    ' ',
  );
  const others = ["' or '1'='1", "x'; drop table auth.signing_key; --", '', ' ', '\u0000', 7, null, ['a'], {}];
  const foreign = {
    jku: 'https://evil.example/jwks.json',
    x5u: 'https://evil.example/cert.pem',
    x5c: ['MIIB'],
    x5t: 'abc',
    crit: ['exp'],
    b64: false,
    zip: 'DEF',
    cty: 'JWT',
  };
  return [
    ...[...words, ...others].map((kid) => changed(`kid ${JSON.stringify(kid)}`, { header: { kid } })),
    ...Object.entries(foreign).map(([name, value]) => changed(`header ${name}`, { header: { [name]: value } })),
    ...['JWT', 'jwt', 'application/at+jwt', 'AT+JWT', '', null, undefined].map((typ) =>
      changed(`typ ${JSON.stringify(typ)}`, { header: { typ } }),
    ),
    ...['es256', 'ES384', 'ES512', 'EdDSA', 'PS256', null].map((alg) =>
      changed(`alg ${JSON.stringify(alg)}, signed as ES256`, { header: { alg } }),
    ),
  ];
}

function wrongClaims(changed: Changed, claims: Json): Forgery[] {
  const iat = Number(claims['iat']);
  const missing = ['iss', 'aud', 'sub', 'sid', 'jti', 'iat', 'exp'].map((name) =>
    changed(`no ${name}`, { claims: { [name]: undefined } }),
  );
  return [
    ...missing,
    ...['https://evil.example', 'Tollgate', '', null, ['tollgate']].map((iss) =>
      changed(`iss ${JSON.stringify(iss)}`, { claims: { iss } }),
    ),
    ...['other', '', null, [], ['tollgate', 'other']].map((aud) =>
      changed(`aud ${JSON.stringify(aud)}`, { claims: { aud } }),
    ),
    ...["' or 1=1 --", '', 7, null, {}].map((sub) => changed(`sub ${JSON.stringify(sub)}`, { claims: { sub } })),
    ...['x', 7, null].map((sid) => changed(`sid ${JSON.stringify(sid)}`, { claims: { sid } })),
    changed('iat two minutes ahead', { claims: { iat: iat + 120 } }),
    changed('nbf two minutes ahead', { claims: { nbf: iat + 120 } }),
    ...['2099-01-01', null, true, -1, 1e300].map((exp) => changed(`exp ${JSON.stringify(exp)}`, { claims: { exp } })),
  ];
}

function mutilated({
  headerPart,
  claimsPart,
  signaturePart,
}: Record<'headerPart' | 'claimsPart' | 'signaturePart', string>): Forgery[] {
  const flipped = Buffer.from(signaturePart, 'base64url');
  flipped[10] = (flipped[10] ?? 0) ^ 1;
  const zeros = Buffer.alloc(64).toString('base64url'); // CVE-2022-21449
  const unsignedPart = `${headerPart}.${claimsPart}`;
  const otherClaims = { ...decode(claimsPart), sub: '01900000-0000-7000-8000-000000000000' };
  return titled({
    'a flipped bit in the signature': `${unsignedPart}.${flipped.toString('base64url')}`,
    'a signature of zeros': `${unsignedPart}.${zeros}`,
    'no signature': `${unsignedPart}.`,
    'two parts': unsignedPart,
    'four parts': `${unsignedPart}.${signaturePart}.${signaturePart}`,
    'claims of its own': `${headerPart}.${encode(otherClaims)}.${signaturePart}`,
    'claims that are no JSON': `${headerPart}.${encode('{')}.${signaturePart}`,
    'a header that is no JSON': `${encode('{')}.${claimsPart}.${signaturePart}`,
    'a header that is null': `${encode('null')}.${claimsPart}.${signaturePart}`,
    'another spelling of the signature': `${unsignedPart}.${respell(signaturePart)}`,
    'white space in the signature': `${unsignedPart}.${signaturePart.slice(0, 40)}\t${signaturePart.slice(40)}`,
    'base64 instead of base64url': `${unsignedPart}.${signaturePart.replaceAll('-', '+').replaceAll('_', '/')}=`,
    padding: `${unsignedPart}.${signaturePart}==`,
    'only dots': '..',
    'no JWT at all': 'hello',
    'ten thousand characters': 'a'.repeat(10_000),
  });
}

/** The last character has four unused bits, so a lenient decoder accepts sixteen texts for one signature. */
function respell(signaturePart: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(signaturePart.slice(-1));
  return signaturePart.slice(0, -1) + alphabet.charAt(last ^ 1);
}
