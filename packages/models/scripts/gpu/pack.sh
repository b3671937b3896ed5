#!/usr/bin/env bash
# Packs what a GPU machine without Node, npm and network needs for run.sh:
#
#     bash packages/models/scripts/gpu/pack.sh FOLDER [GOLDEN]
#
# FOLDER gets a stripped Node, each check as one file of JavaScript, the addon's sources, toy models with what transformers
# computed on them (GOLDEN, default test/golden/vlm), and run.sh: about 30 MB. With ADDON, a compiled addon goes along,
# so that checks can start while the machine compiles its own.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../../.." && pwd)
golden=$(cd "${2:-$root/test/golden/vlm}" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$root"

if [ ! -f "$out/node.xz" ]; then
  cp "$(readlink -f "$(command -v node)")" "$out/node"
  strip "$out/node"
  xz -T2 -6 "$out/node"
fi

app=$(mktemp -d)
trap 'rm -rf "$app"' EXIT
node_modules/.bin/esbuild packages/models/bench/against-transformers.ts packages/models/bench/vlgym-worker.ts \
  packages/models/scripts/gpu/checks/*.ts \
  --bundle --platform=node --target=node20 --format=esm --outdir="$app" --entry-names=[name] --out-extension:.js=.mjs \
  --tsconfig=tsconfig.json --log-level=error --alias:vitest=./packages/models/scripts/gpu/unit/vitest.ts \
  "--banner:js=import { createRequire as fromHere } from 'node:module'; const require = fromHere(import.meta.url);"
cp packages/models/bench/transformers_worker.py packages/models/scripts/gpu/*.py "$app/"
cp "$here/run.sh" "$out/"

tar cJf "$out/app.tar.xz" -C "$app" .
tar cJf "$out/native.tar.xz" -C packages/gpu native -C "$root/node_modules/node-api-headers" include
tar cJf "$out/golden.tar.xz" -C "$golden" .
if [ -n "${ADDON:-}" ]; then xz -kc "$ADDON" > "$out/vlgym.node.xz"; fi
du -sh "$out" "$out"/*
