#!/usr/bin/env bash
# standardwebhooks 1.1.1 (npm) and 1.1.0 (PyPI): a secret in base64url is an error in one and another key in the other.
#
# Secrets are made by many tools, and some of them write - and _ in place of + and /. The npm package throws when it gets
# such a secret. The PyPI package leaves out each - and _ without a word, so it signs and checks with other bytes: each
# signature of the sender is "No matching signature", and nothing says that the secret is wrong. Only secrets that happen
# to hold neither character work, about one in four of 32 bytes. A secret without its padding works in both.
# Give secrets out in plain base64, and refuse others when they come in.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check standardwebhooks==1.1.0
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts standardwebhooks@1.1.1
cat >forms.cjs <<'JS'
const { Webhook } = require('standardwebhooks');
const key = Buffer.from(Array.from({ length: 32 }, (_, index) => (index * 37 + 250) & 255));
const forms = { plain: key.toString('base64'), unpadded: key.toString('base64').replace('=', ''), url: `${key.toString('base64url')}=` };
for (const [name, secret] of Object.entries(forms)) {
  let seen;
  try {
    seen = new Webhook(`whsec_${secret}`).sign('msg', new Date(1767225600000), '{}');
  } catch ({ message }) {
    seen = message;
  }
  console.log(`${name} npm: ${seen}`);
}
JS
cat >forms.py <<'PY'
import base64
from datetime import datetime, timezone

from standardwebhooks import Webhook

key = bytes((index * 37 + 250) & 255 for index in range(32))
plain = base64.b64encode(key).decode()
forms = {"plain": plain, "unpadded": plain.rstrip("="), "url": base64.urlsafe_b64encode(key).decode()}
for name, secret in forms.items():
    print(f"{name} PyPI: {Webhook('whsec_' + secret).sign('msg', datetime.fromtimestamp(1767225600, timezone.utc), '{}')}")
PY
seen="$(node forms.cjs; venv/bin/python forms.py)"
echo "$seen"
right='v1,hVfl7K9LlERO3WU8IWZ5g/XkOa9HyOtk36eOnEq5l6g='
wanted="plain npm: $right
unpadded npm: $right
url npm: Base64Coder: incorrect characters for decoding
plain PyPI: $right
unpadded PyPI: $right
url PyPI: v1,d50lH6eN7hzYn/UsY94ij2tyiwZTDYmPBARMQTdI7W0="
[ "$seen" = "$wanted" ] || { echo 'the behaviour has changed' >&2; exit 1; }
