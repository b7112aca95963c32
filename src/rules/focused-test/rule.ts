import { defineRule } from '../rule.ts'

export default defineRule(
  {
    id: 'focused-test', title: 'A focused test keeps all the others from running', category: 'masking', severity: 'error', triggers: [],
    words: {
      typescript: ['\\.only\\b', '\\bonly\\s*:\\s*true', '\\b(?:fit|fdescribe|fcontext|ftest)\\s*\\('], go: ['\\bF(?:It|Describe|DescribeTable|Context|Specify|When|Entry)\\(', ',\\s*(?:\\w+\\.)?Focus\\b'],
      bash: ['bats:focus'], python: ['mark\\.only\\b'],
    },
    confirm: [], since: '0.2.0',
  },
  function* ({ facts }) {
    for (const unit of facts.units)
      for (const marker of unit.markers)
        if (marker.is === 'focus')
          yield { at: marker.span, unit: unit.id, confidence: 'high', message: `\`${marker.key === 'bats:focus' ? marker.key : marker.name}\` runs this alone: whatever else breaks, nobody sees it` }
  },
)
