#!/usr/bin/env bash
# Lints once and writes all that is wanted: SARIF, annotations or text in the log, the job's summary. Findings do not fail
# this step, so that the next can upload them.
set -euo pipefail

sarif="$RUNNER_TEMP/flakesniff.sarif"
page="$RUNNER_TEMP/flakesniff.md"
options=(--output "sarif:$sarif" --output "markdown:$page")
if [[ "$FLAKESNIFF_ANNOTATIONS" == true ]]; then options+=(--output github:-); else options+=(--output text:-); fi
[[ -z "$FLAKESNIFF_SINCE" ]] || options+=("--since=$FLAKESNIFF_SINCE")
[[ -z "$FLAKESNIFF_PRESET" ]] || options+=("--preset=$FLAKESNIFF_PRESET")
[[ -z "$FLAKESNIFF_FAIL_ON" ]] || options+=("--fail-on=$FLAKESNIFF_FAIL_ON")
[[ -z "$FLAKESNIFF_CONFIG" ]] || options+=("--config=$FLAKESNIFF_CONFIG")

# A path is never an option or a command, whatever it is called.
paths=()
while IFS= read -r path; do
  [[ -z "$path" ]] || case "$path" in /*) paths+=("$path") ;; *) paths+=("./$path") ;; esac
done <<< "$FLAKESNIFF_PATHS"

status=0
node "$FLAKESNIFF_BIN" "${options[@]}" -- "${paths[@]:-.}" || status=$?
if ((status > 1)); then exit "$status"; fi
if [[ "$FLAKESNIFF_SUMMARY" == true ]]; then cat "$page" >> "$GITHUB_STEP_SUMMARY"; fi
{
  echo "sarif=$sarif"
  echo "status=$status"
} >> "$GITHUB_OUTPUT"
