#!/usr/bin/env bash
# Installs flakesniff: the version asked for from npm, or what this action's own release tag carries.
set -euo pipefail

fail() {
  echo "::error title=flakesniff::$1"
  exit 2
}

command -v npm > /dev/null || fail 'there is no npm on this runner; add a step with actions/setup-node before this one'
node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
  fail 'Node 20.19 or later is needed; add a step with actions/setup-node before this one'

home="$RUNNER_TEMP/flakesniff"
mkdir -p "$home"
if [[ -n "$FLAKESNIFF_VERSION" ]]; then
  [[ "$FLAKESNIFF_VERSION" =~ ^[0-9A-Za-z.^~+-]+$ ]] || fail 'the input version must be a version of the package on npm, such as 0.2.0'
  npm install --prefix "$home" --no-save --ignore-scripts --no-audit --no-fund --loglevel=error "flakesniff@$FLAKESNIFF_VERSION"
  bin="$home/node_modules/flakesniff/bin/flakesniff.js"
else
  [[ -f "$GITHUB_ACTION_PATH/dist/surfaces/cli/main.js" ]] || fail 'this ref of the action is no release; use a release tag, or set the input version'
  cp -R "$GITHUB_ACTION_PATH/." "$home/"
  npm ci --prefix "$home" --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error
  bin="$home/bin/flakesniff.js"
fi
echo "bin=$bin" >> "$GITHUB_OUTPUT"
