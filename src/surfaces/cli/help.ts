export const HELP = `flakesniff [paths…]          find the flakiness risks of the tests under paths (default: .)
flakesniff report [paths…]   the root causes: which endangers which tests, how it shows, how to fix and to confirm it
flakesniff confirm TEST      run a test until it is known how it fails: TEST as its runner names it, or FILE:LINE, or --from FILE
flakesniff merge FILE…       join what the shards of a confirmation wrote
flakesniff baseline [paths…] accept today's findings: from now on only new ones fail; --prune only forgets those that are gone
flakesniff mcp               serve assistants over standard input and output (docs/mcp.md)
flakesniff rules             list the rules
flakesniff explain RULE      print a rule's page
flakesniff init              propose a configuration, a hook, a CI job and editor settings, and write what you agree to;
                             --yes writes all, --dry-run only shows, --preset says which preset
flakesniff lsp               the language server, over standard input and output, for editors (docs/editors.md)

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
  --fix                               apply the fixes that keep what a test does; suggestions are only shown
  --fix-dry-run                       print what --fix would change as a diff, and write nothing
  --typed                             ask the TypeScript compiler which calls give promises (needs tsconfig.json and ts-morph)
  --no-trace                          look at each file by itself: no tests behind helpers, nothing in source code
  --no-baseline                       report what .flakesniff-baseline.jsonl accepts, too
  --show-suppressed                   report what comments and the baseline silence, marked as such
  --color, --no-color                 colour (default: on a terminal, unless NO_COLOR is set)
  --quiet, -q                         one line for a finding, and no summary
  --help, -h   --version, -V

For confirm (docs/confirm.md); it runs the project's tests:
  --from FILE                         the findings of a SARIF or JSON report; --output FILE.sarif gives the log back enriched
  --runner ID                         pytest, vitest, go …, instead of the one that is recognised
  --command 'argv… {test}'            any other runner, by its exit status; words and quotes, no shell
  --runs N                            runs alone (default: 10, then 10 more where none failed); at most as many of the suite
  --budget 90s|10m|1h                 end with what is known by then (default: 10m, for each test)
  --perturb NAME                      only this shake of the world, e.g. tz-shift, cpu-stress; may be repeated
  --plan                              say what would be run, and for how long; run nothing but the listing
  --before-run 'argv…'                start this before every run, to clean up
  --env NAME[=VALUE]                  pass a variable that would be left out, or set one; may be repeated
  --resume FILE                       keep a journal there, and go on where it ends
  --shard I/N                         this machine's share of the runs, for merge
  --format text|json|markdown|html|sarif, --output [FORMAT:]FILE, --quiet
  Exit status: 1 confirmed; 0 not reproduced; 2 it could not be run.

For mcp:
  --root DIR                          only paths in here may be asked for; relative paths begin at the first (default: .)
  --max-parallel N                    calls at work at once; more are answered OVERLOADED (default: 2)
  --timeout-ms N                      end a call after so long (default: 300000)
  --enable-confirm                    let assistants run the project's tests with the tool confirm

Exit status: 0 nothing at or above the fail level; 1 findings; 2 flakesniff could not do what was asked.
`
