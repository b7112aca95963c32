// Loaded before a Node program: Math.random becomes a sequence that FLAKESNIFF_RANDOM_SEED decides (mulberry32).
let state = Number(process.env.FLAKESNIFF_RANDOM_SEED) | 0

Math.random = () => {
  state = (state + 0x6d2b79f5) | 0
  let t = Math.imul(state ^ (state >>> 15), 1 | state)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}
