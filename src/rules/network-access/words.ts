// What a file must hold for this rule to have a look at it.

import type { RuleMeta } from '../rule.ts'

const TRIED_WORD = ['httpbin', 'badssl\\.com', 'postman-echo', 'jsonplaceholder', 'one\\.one\\.one\\.one']
const DNS_WORD = '(?:[rR]esolve|[lL]ookup|[dD]ial)\\w*\\(+["\'][\\w-]+\\.[\\w.-]+["\']'
const URL_WORD = '["\'`](?:https?|wss?|ftp|git)://(?!localhost|127\\.|0\\.0|\\[|\\$|%)[\\w-]+\\.[\\w.-]+'
/** Addresses for version control, flags that take an address, tools that look up or install, servers that are there for everybody. */
const WORDS = [
  '\\b10\\.255\\.255\\.1\\b',
  'host(?:name)?["\']?\\s*[:=]\\s*["\'](?!localhost|127\\.)[\\w-]+\\.[\\w.-]*[a-z]{2,}["\']',
  '(?:git|svn|bzr|hg)\\+https?://',
  '--(?:[a-z]+-)*(?:url|endpoint|registry)["\'=]',
  '["\'](?:resolvectl|nslookup|dig|ping)["\']',
  '["\'](?:pip3?|npm|yarn|pnpm|gem)["\'],\\s*["\'](?:install|add)',
  '\\bpip3?\\(\\s*["\']',
  '\\b(?:nip\\.io|nist\\.gov|ntp\\.org|infura\\.io)\\b',
  '["\'/](?:demo|mainnet)\\.[a-z]',
]

export const words: RuleMeta['words'] = {
  python: [
    URL_WORD,
    DNS_WORD,
    ...TRIED_WORD,
    ...WORDS,
    'gethostbyname',
    'getaddrinfo',
  ],
  typescript: [
    URL_WORD,
    DNS_WORD,
    ...TRIED_WORD,
    ...WORDS,
    'dns\\.(?:lookup|resolve)',
  ],
  java: [
    URL_WORD,
    DNS_WORD,
    ...TRIED_WORD,
    ...WORDS,
    'InetAddress\\.get',
  ],
  go: [
    URL_WORD,
    DNS_WORD,
    ...TRIED_WORD,
    ...WORDS,
    'net\\.Lookup',
  ],
  rust: [
    URL_WORD,
    DNS_WORD,
    ...TRIED_WORD,
    ...WORDS,
    'to_socket_addrs',
    'lookup_host',
  ],
  bash: [
    'https?://',
    '\\b(?:apt-get|apt|apk|yum|dnf|brew|pip3?|npm|gem|cargo|go) (?:install|add|update|ci|get)\\b',
    '(?:docker|podman|skopeo) (?:pull|search|inspect)\\b',
    '(?:[bB][uU][iI][lL][dD][aA][hH]|PODMAN)\\b[^\\n]* pull ',
    '\\bnslookup\\b',
    '\\bdig\\b',
  ],
}
