#!/usr/bin/env bash
# @fontsource-variable/noto-sans-sc 5.3.1: `unicode.json` lists characters that the listed file does not draw.
#
# The package cuts the font into some hundred files and says in `unicode.json` which characters each file has. A program
# that embeds fonts (an invoice as PDF, say) takes the list for the truth, draws .notdef in place of Korean, and a PDF/A
# validator refuses the file. noto-sans-sc claims 80 Hangul syllables, the commonest of them, and draws none. Ask the file.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts \
  @fontsource-variable/noto-sans-sc@5.3.1 @fontsource-variable/noto-sans-kr@5.3.1 fontkit@2.0.4 woff2-encoder@2.0.0
cat >count.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { create } from 'fontkit';
import decompress from 'woff2-encoder/decompress';

for (const family of ['noto-sans-sc', 'noto-sans-kr']) {
  const folder = `node_modules/@fontsource-variable/${family}`;
  const parts = JSON.parse(readFileSync(`${folder}/unicode.json`, 'utf8'));
  let [listed, lacking] = [0, 0];
  for (const [part, ranges] of Object.entries(parts)) {
    const wanted = ranges.split(',').flatMap((range) => {
      const [first, last = first] = range.slice(2).split('-').map((text) => Number.parseInt(text, 16));
      return Array.from({ length: last - first + 1 }, (_, at) => first + at).filter((code) => code >= 0xac00 && code <= 0xd7a3);
    });
    if (wanted.length === 0) continue;
    const file = `${folder}/files/${family}-${part.replace(/[[\]]/g, '')}-wght-normal.woff2`;
    const font = create(Buffer.from(await decompress(readFileSync(file))));
    listed += wanted.length;
    lacking += wanted.filter((code) => !font.hasGlyphForCodePoint(code)).length;
  }
  console.log(`${family}: ${listed} Hangul syllables listed, ${lacking} of them without a glyph`);
}
JS
seen="$(node count.mjs)"
echo "$seen"
wanted='noto-sans-sc: 80 Hangul syllables listed, 80 of them without a glyph
noto-sans-kr: 11172 Hangul syllables listed, 0 of them without a glyph'
[ "$seen" = "$wanted" ] || { echo 'the behaviour has changed' >&2; exit 1; }
