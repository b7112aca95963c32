// What a file must hold for this rule to have a look at it.

import type { RuleMeta } from '../rule.ts'

/** Moments, and clocks of one zone. */
const TEXTS = [
  '\\b1[0-6]\\d{8}(?:\\d{3})?L?\\b',
  '\\d:\\d\\d(?::\\d\\d)? ?[+-](?:0[1-9]|1[0-4]):?[03]0\\b',
  '\\d\\d:\\d\\d(?::\\d\\d)? (?:CES?T|[EPCM][SD]T|BST|IST|JST)\\b',
]

/** A date that has printed itself. */
const PRINTED = '\\b\\d\\d:\\d\\d:\\d\\d (?:GMT[+-]\\d{4}|[A-Z]{3,4} \\d{4})\\b'

export const words: RuleMeta['words'] = {
  go: [
    ...TEXTS,
    '\\.Year\\(\\),',
    '\\dZ["`]\\)',
    'time\\.Local\\b',
    '\\.Local\\(\\)',
    '\\b24\\s*\\*\\s*time\\.Hour',
    '\\bLoadLocation\\(',
    '\\bmodel\\.Time\\([^()]*\\)\\.Time\\(',
  ],
  java: [
    ...TEXTS,
    PRINTED,
    '\\bLocal(?:Date|Time|DateTime)\\.now\\(\\)',
    "'Z'\"",
    'DateTime\\(\\s*\\d{4}',
    '\\.withTime\\(',
    'DateTime\\.parse\\(',
    'GregorianCalendar\\(',
    'TimeZone\\.getDefault\\(',
    'systemDefault\\(',
    '\\bnew (?:java\\.\\w+\\.)?(?:Date|Timestamp)\\(\\d',
    '\\bofHours\\(\\s*(?:24|48|72)\\b',
    '\\bCalendar\\.getInstance\\(',
    '\\.getOffset\\(\\)',
    'inDaylightTime\\(',
    '\\bZoneId\\.of\\(',
  ],
  rust: [
    ...TEXTS,
    '\\bLocal::now\\(',
    '\\bwith_timezone\\(&?(?:chrono::)?Local',
    '\\bhours\\(\\s*(?:24|48|72)\\b',
    '\\.offset\\(\\)',
  ],
  typescript: [
    ...TEXTS,
    PRINTED,
    'Date\\.UTC\\(\\w+\\.getFullYear',
    '\\[Z\\]',
    'new Date\\(\\d{4},',
    '\\.setDate\\(',
    '\\.setHours\\(',
    '\\.tz\\(',
  ],
  python: [
    ...TEXTS,
    '\\btzinfo\\s*=[^)\\n]*(?:utc|UTC)\\b',
    '\\butc\\.localize\\(',
    '\\bmktime\\(',
    '\\btimegm\\(',
    '\\butcnow\\(\\)',
    '\\bisoformat\\(\\)',
    '[^%]Z["\']\\)',
    '\\.to\\([\'"]local',
    '\\.astimezone\\(',
    'strftime\\([\'"]%s',
    '\\btime\\.(?:timezone|altzone)\\b',
    '\\b(?:gettz|ZoneInfo|timezone)\\(\\s*[\'"](?:US|America|Europe|Australia|Canada)/',
  ],
  bash: ['\\bdate \\S*%[HT]\\S*Z', '--time-style', '--full-time', '\\btouch -', '\\bstat -c', '--date=local'],
}
