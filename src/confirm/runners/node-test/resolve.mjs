// Leads `import … from 'node:test'` to our face of it.

export function resolve(specifier, context, next) {
  return specifier === 'node:test'
    ? { url: new URL('./face.mjs', import.meta.url).href, format: 'module', shortCircuit: true }
    : next(specifier, context)
}
