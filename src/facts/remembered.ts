// What is asked of the same name, unit or file again and again, and worked out once. Facts are done when rules see them, so what is told of
// one of them stays true.

/** Names of one run are some ten thousand; whoever lints for days lets go of the old ones. */
const MOST = 50_000

/** Of a text: the same few thousand names are asked for over and over. */
export function rememberedByName<Told>(tell: (name: string) => Told): (name: string) => Told {
  const known = new Map<string, Told>()
  return name => {
    const told = known.get(name)
    if (told !== undefined) return told
    if (known.size >= MOST) known.clear()
    const made = tell(name)
    known.set(name, made)
    return made
  }
}

/** Of a thing, for as long as it lives. */
export function rememberedOf<Of extends object, Told>(tell: (of: Of) => Told): (of: Of) => Told {
  const known = new WeakMap<Of, { readonly told: Told }>()
  return of => {
    const before = known.get(of)
    if (before) return before.told
    const told = tell(of)
    known.set(of, { told })
    return told
  }
}
