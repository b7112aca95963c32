export const HELP = `flakesniff [paths…]          find the flakiness risks of the tests under paths (default: .)
flakesniff report [paths…]   the root causes: which endangers which tests, how it shows, how to fix and to confirm it
flakesniff baseline [paths…] accept today's findings: from now on only new ones fail; --prune only forgets those that are gone
flakesniff rules             list the rules
flakesniff explain RULE      print a rule's page

  --preset recommended|strict|audit   how sure a finding must be (default: recommended)
  --rule ID=off|note|warning|error    set a rule's level; may be repeated
  --fail-on error|warning|note|never  the lowest severity that makes the exit status 1 (default: warning)
  --format FORMAT                     text, json, sarif, github, gitlab, markdown, rdjson or junit (default: text);
                                      for report: markdown, json or html (default: markdown)
  --output [FORMAT:]FILE              write to a file instead of printing; may be repeated, and - is standard output
  --config FILE                       a configuration file, instead of the nearest flakesniff.json(c), flakesniff.yaml or
                                      the key "flakesniff" of package.json
  --staged                            only what is staged in git, as it is staged
  --since REF                         only what changed since the branch left REF, committed or not
  --changed                           the given paths are what changed: also look elsewhere for the tests they endanger
  --stdin-filename NAME               lint standard input as if it stood in that file
  --jobs N                            worker threads (default: by the number of cores and the size of the work)
  --typed                             ask the TypeScript compiler which calls give promises (needs tsconfig.json and ts-morph)
  --no-trace                          look at each file by itself: no tests behind helpers, nothing in source code
  --no-baseline                       report what .flakesniff-baseline.jsonl accepts, too
  --show-suppressed                   report what comments and the baseline silence, marked as such
  --color, --no-color                 colour (default: on a terminal, unless NO_COLOR is set)
  --quiet, -q                         one line for a finding, and no summary
  --help, -h   --version, -V

Exit status: 0 nothing at or above the fail level; 1 findings; 2 flakesniff could not do what was asked.
`
