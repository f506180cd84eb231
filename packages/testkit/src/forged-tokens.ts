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
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${signBytes('sha256', Buffer.from(input), { key: key.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/** F67: each differs from a valid token in one thing, or is signed with another key. */
export function forgeTokens(key: RealKey, genuine: string): Forgery[] {
  const [headerPart = '', claimsPart = '', signaturePart = ''] = genuine.split('.');
  const header = decode(headerPart);
  const claims = decode(claimsPart);
  const signed = (title: string, change: { header?: Json; claims?: Json }): Forgery => ({
    title,
    token: signToken(key, { ...header, ...change.header }, { ...claims, ...change.claims }),
  });
  return [
    ...unsigned(header, claimsPart),
    ...otherwiseSigned(key, header, claimsPart),
    ...wrongHeaders(signed),
    ...wrongClaims(signed, claims),
    ...mutilated({ headerPart, claimsPart, signaturePart }),
  ];
}

function decode(part: string): Json {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Json; // a token of our own
}

function unsigned(header: Json, claimsPart: string): Forgery[] {
  return ['none', 'None', 'NONE', 'nOnE', ''].flatMap((alg) => [
    { title: `alg ${JSON.stringify(alg)} without a signature`, token: `${encode({ ...header, alg })}.${claimsPart}.` },
    {
      title: `alg ${JSON.stringify(alg)} with any signature`,
      token: `${encode({ ...header, alg })}.${claimsPart}.AAAA`,
    },
  ]);
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
    { title: 'another key under our kid', token: signToken(own, header, claims) },
    { title: 'another key in jwk', token: signToken(own, { ...header, jwk }, claims) },
    { title: 'another key in jwk, no kid', token: signToken(own, { alg: 'ES256', typ: 'at+jwt', jwk }, claims) },
    {
      title: 'RS256 under our kid',
      token: `${rsInput}.${signBytes('sha256', Buffer.from(rsInput), rsa.privateKey).toString('base64url')}`,
    },
    { title: 'a DER signature', token: derSigned(key, header, claimsPart) },
  ];
}

function derSigned(key: RealKey, header: Json, claimsPart: string): string {
  const input = `${encode(header)}.${claimsPart}`;
  return `${input}.${signBytes('sha256', Buffer.from(input), { key: key.privateKey, dsaEncoding: 'der' }).toString('base64url')}`;
}

type Signed = (title: string, change: { header?: Json; claims?: Json }) => Forgery;

function wrongHeaders(signed: Signed): Forgery[] {
  const kids = [
    '../../../../dev/null',
    '/dev/null',
    "' or '1'='1",
    "x'; drop table auth.signing_key; --",
    'https://evil.example/jwks.json',
    '',
    ' ',
    '\u0000',
    '__proto__',
    'constructor',
    'unknown',
    7,
    null,
    ['a'],
    {},
  ];
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
    ...kids.map((kid) => signed(`kid ${JSON.stringify(kid)}`, { header: { kid } })),
    ...Object.entries(foreign).map(([name, value]) => signed(`header ${name}`, { header: { [name]: value } })),
    ...['JWT', 'jwt', 'application/at+jwt', 'AT+JWT', '', null, undefined].map((typ) =>
      signed(`typ ${JSON.stringify(typ)}`, { header: { typ } }),
    ),
    ...['es256', 'ES384', 'ES512', 'EdDSA', 'PS256', null].map((alg) =>
      signed(`alg ${JSON.stringify(alg)}, signed as ES256`, { header: { alg } }),
    ),
  ];
}

function wrongClaims(signed: Signed, claims: Json): Forgery[] {
  const iat = Number(claims['iat']);
  const missing = ['iss', 'aud', 'sub', 'sid', 'jti', 'iat', 'exp'].map((name) =>
    signed(`no ${name}`, { claims: { [name]: undefined } }),
  );
  return [
    ...missing,
    ...['https://evil.example', 'Tollgate', '', null, ['tollgate']].map((iss) =>
      signed(`iss ${JSON.stringify(iss)}`, { claims: { iss } }),
    ),
    ...['other', '', null, [], ['tollgate', 'other']].map((aud) =>
      signed(`aud ${JSON.stringify(aud)}`, { claims: { aud } }),
    ),
    ...["' or 1=1 --", '', 7, null, {}].map((sub) => signed(`sub ${JSON.stringify(sub)}`, { claims: { sub } })),
    ...['x', 7, null].map((sid) => signed(`sid ${JSON.stringify(sid)}`, { claims: { sid } })),
    signed('iat two minutes ahead', { claims: { iat: iat + 120 } }),
    signed('nbf two minutes ahead', { claims: { nbf: iat + 120 } }),
    ...['2099-01-01', null, true, -1, 1e300].map((exp) => signed(`exp ${JSON.stringify(exp)}`, { claims: { exp } })),
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
  return [
    { title: 'a flipped bit in the signature', token: `${headerPart}.${claimsPart}.${flipped.toString('base64url')}` },
    { title: 'a signature of zeros', token: `${headerPart}.${claimsPart}.${zeros}` },
    { title: 'no signature', token: `${headerPart}.${claimsPart}.` },
    { title: 'two parts', token: `${headerPart}.${claimsPart}` },
    { title: 'four parts', token: `${headerPart}.${claimsPart}.${signaturePart}.${signaturePart}` },
    {
      title: 'claims of its own',
      token: `${headerPart}.${encode({ ...decode(claimsPart), sub: '01900000-0000-7000-8000-000000000000' })}.${signaturePart}`,
    },
    { title: 'claims that are no JSON', token: `${headerPart}.${encode('{')}.${signaturePart}` },
    { title: 'a header that is no JSON', token: `${encode('{')}.${claimsPart}.${signaturePart}` },
    { title: 'a header that is null', token: `${encode('null')}.${claimsPart}.${signaturePart}` },
    { title: 'another spelling of the signature', token: `${headerPart}.${claimsPart}.${respell(signaturePart)}` },
    {
      title: 'white space in the signature',
      token: `${headerPart}.${claimsPart}.${signaturePart.slice(0, 40)}\t${signaturePart.slice(40)}`,
    },
    {
      title: 'base64 instead of base64url',
      token: `${headerPart}.${claimsPart}.${signaturePart.replaceAll('-', '+').replaceAll('_', '/')}=`,
    },
    { title: 'padding', token: `${headerPart}.${claimsPart}.${signaturePart}==` },
    { title: 'only dots', token: '..' },
    { title: 'no JWT at all', token: 'hello' },
    { title: 'ten thousand characters', token: 'a'.repeat(10_000) },
  ];
}

/** The last character has four unused bits, so a lenient decoder accepts sixteen texts for one signature. */
function respell(signaturePart: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(signaturePart.slice(-1));
  return signaturePart.slice(0, -1) + alphabet.charAt(last ^ 1);
}
