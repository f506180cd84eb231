/**
 * The images that this repository takes from others. Development takes them by tag, from docker-compose.yml and the
 * Dockerfile; production by digest, from docker-compose.pinned.yml. The tag of an image moves; the digest behind it names one
 * image for ever. `tollgate/…` are our own, built from the arguments `…_IMAGE` of the Dockerfile.
 */
const pinLine = /^(?<before> *(?:image|\w+_IMAGE): )(?<image>[^\s@]+)(?<pin>@sha256:[0-9a-f]{64})?$/gm;
const ownImage = /^tollgate\//;
const digestPattern = /^sha256:[0-9a-f]{64}$/;

/** Asks a registry. Rejects when it does not answer. */
export type DigestOf = (image: string) => Promise<string>;

/** The text of docker-compose.pinned.yml with the present digest behind each image, in place of an earlier one. */
export async function withPins(text: string, digestOf: DigestOf): Promise<string> {
  const digests = new Map<string, string>();
  for (const { groups } of text.matchAll(pinLine)) {
    const image = groups?.['image'] ?? '';
    if (digests.has(image)) continue;
    const digest = await digestOf(image);
    if (!digestPattern.test(digest)) throw new Error(`the digest of ${image} has another form: ${digest}`);
    digests.set(image, digest);
  }
  return text.replaceAll(pinLine, (_line, before: string, image: string) => `${before}${image}@${digests.get(image)}`);
}

export interface ImageFiles {
  readonly compose: string;
  readonly dockerfile: string;
  readonly pinned: string;
}

/** Finds images that production would not take by a digest, and digests of images that nobody uses. */
export function problemsOfPins({ compose, dockerfile, pinned }: ImageFiles): string[] {
  const pins = imagesOf(pinned);
  const images = imagesOf(compose);
  const bases = argumentsOf(dockerfile, /^ARG (\w+_IMAGE)=(\S+)$/gm);
  const basePins = argumentsOf(pinned, /^ *(\w+_IMAGE): (\S+)$/gm);
  const stages = [...dockerfile.matchAll(/^FROM .* AS (\S+)$/gm)].map(([, name]) => name);
  const known = new Set([...[...bases.keys()].map((name) => `\${${name}}`), ...stages]);
  const taken = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
  return [
    ...taken.filter((image) => !known.has(image)).map((image) => `the Dockerfile takes ${image} past its arguments`),
    ...problemsBetween(images, pins),
    ...problemsBetween(bases, basePins),
  ];
}

function problemsBetween(images: ReadonlyMap<string, string>, pins: ReadonlyMap<string, string>): string[] {
  const unused = [...pins.keys()].filter((user) => !images.has(user));
  return [
    ...[...images].flatMap(([user, image]) => problemOf(user, image, pins.get(user))),
    ...unused.map((user) => `nobody uses the pin of ${user}`),
  ];
}

function argumentsOf(text: string, line: RegExp): Map<string, string> {
  return new Map([...text.matchAll(line)].map(([, name = '', image = '']) => [name, image]));
}

const built = 'what is built here';

/** The image of each service that is not ours, and `built` for a service that is built here. */
function imagesOf(text: string): Map<string, string> {
  const images = new Map<string, string>();
  const [, services = ''] = /^services:\n((?:(?: .*|#.*)?\n)*)/m.exec(text) ?? [];
  for (const [, service = '', rest = ''] of services.matchAll(/^ {2}([\w-]+):(.*\n(?:(?: {3,}.*)?\n)*)/gm)) {
    const [, image] = /^ {4}image: (\S+)$/m.exec(rest) ?? [];
    if (/^(?: {4}| \{ )build:/m.test(rest)) images.set(service, built);
    else if (image !== undefined && !ownImage.test(image)) images.set(service, image);
  }
  return images;
}

function problemOf(user: string, image: string, pin: string | undefined): string[] {
  if (image === built && pin === built) return [];
  const [tagged, digest = ''] = pin?.split('@') ?? [];
  if (tagged === undefined || !digestPattern.test(digest)) return [`${user}: ${image} has no digest`];
  return withoutPatch(tagged) === withoutPatch(image) ? [] : [`${user}: ${image} is pinned as ${tagged}`];
}

/** Another patch of a version is the same for our purposes. */
function withoutPatch(image: string): string {
  return image.replace(/(\.\d+)\.\d+$/, '$1');
}
