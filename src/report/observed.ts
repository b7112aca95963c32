// Made by scripts/calibrate.mjs: findings on lines that a real fix changed, and all findings in those files, by rule.

export const OBSERVED: Readonly<Record<string, readonly [fixed: number, found: number]>> = {}
