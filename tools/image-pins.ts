/**
 * The images that this repository takes from others, in Dockerfiles and compose files. The tag of an image moves; the digest
 * behind it names one image for ever. `tollgate/…` are our own, built from these.
 */
const imageLine = /^(?<before>FROM | *image: )(?<image>[^\s@]+)(?<pin>@sha256:[0-9a-f]{64})?(?=\s|$)/gm;
const ownImage = /^tollgate\//;
const digestPattern = /^sha256:[0-9a-f]{64}$/;

/** Asks a registry. Rejects when it does not answer. */
export type DigestOf = (image: string) => Promise<string>;

/** The images of a file without a digest, each once. */
export function unpinnedImages(text: string): string[] {
  const found = imagesIn(text).filter(({ pin }) => pin === undefined);
  return [...new Set(found.map(({ image }) => image))];
}

/** The text with the present digest behind each image, in place of an earlier one. */
export async function withPins(text: string, digestOf: DigestOf): Promise<string> {
  const digests = new Map<string, string>();
  for (const { image } of imagesIn(text)) {
    if (digests.has(image)) continue;
    const digest = await digestOf(image);
    if (!digestPattern.test(digest)) throw new Error(`the digest of ${image} has another form: ${digest}`);
    digests.set(image, digest);
  }
  return text.replaceAll(imageLine, (line: string, before: string, image: string) => {
    const digest = digests.get(image);
    return digest === undefined ? line : `${before}${image}@${digest}`;
  });
}

function imagesIn(text: string): { image: string; pin: string | undefined }[] {
  const stages = new Set([...text.matchAll(/^FROM .* AS (\S+)/gim)].map(([, name]) => name));
  return [...text.matchAll(imageLine)]
    .map(({ groups }) => ({ image: groups?.['image'] ?? '', pin: groups?.['pin'] }))
    .filter(({ image }) => !ownImage.test(image) && !stages.has(image));
}
