#!/usr/bin/env bash
# oidc-provider 9.13.3 and esbuild 0.28.1: in a minified bundle every model asks its storage under the name ''.
#
# An adapter gets the name of a model, such as `RefreshToken`, and keeps each kind in a table of its own. The name is that of
# the class, and the classes are made inside of functions. Bundled, the names stay; minified, they are all empty. Codes, grants,
# sessions and tokens then lie in one place, times to live are looked up by an empty name, and whatever an unminified build has
# stored is not found. Nothing warns. Leave the library out of the bundle, or give esbuild `--keep-names`.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts oidc-provider@9.13.3 esbuild@0.28.1
cat >models.mjs <<'JS'
import Provider from 'oidc-provider';

const names = new Set();
class Adapter {
  constructor(name) {
    names.add(name);
  }
  async find() {}
}
const provider = new Provider('http://127.0.0.1', { adapter: Adapter, features: { devInteractions: { enabled: false } } });
for (const model of ['AuthorizationCode', 'Grant', 'RefreshToken', 'Session']) await provider[model].find('x'.repeat(43));
console.log(JSON.stringify([...names].sort()));
JS
banner="import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);"
build() { node_modules/.bin/esbuild models.mjs --bundle --platform=node --format=esm --log-level=error --banner:js="$banner" "$@"; }
build --outfile=bundled.mjs
build --minify --outfile=minified.mjs
build --minify --keep-names --outfile=kept.mjs
seen="$(for program in models bundled minified kept; do echo "$program $(node "$program.mjs" 2>/dev/null)"; done)"
echo "$seen"
names='["AuthorizationCode","Grant","RefreshToken","Session"]'
wanted="models $names
bundled $names
minified [\"\"]
kept $names"
[ "$seen" = "$wanted" ] || { echo 'the behaviour has changed' >&2; exit 1; }
