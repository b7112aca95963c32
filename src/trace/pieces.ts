// Names and paths in pieces, so that one comparison serves every language: `shop.store.open`, `acme.com/shop/store.Open`,
// `../src/store.open`, `store_crate::Store::open` all end in a path that the function's file has too.

/** Pieces of a path that say nothing about what is in it. */
const HOLLOW = new Set(['src', 'lib', 'mod', 'index', '__init__', 'main', 'test', 'java', 'kotlin', 'crate', 'self', 'super', 'crates',
  'packages', '@', '~', '.', '..', ''])

const clean = (piece: string): string => piece.replace(/\.(?:[cm]?[jt]sx?|py|rs|go|java|bash|sh|bats)$/, '').replaceAll('-', '_')

/** Both are asked for the same few thousand names again and again. */
function remembered(make: (text: string) => readonly string[]): (text: string) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  return text => known.get(text) ?? known.set(text, make(text)).get(text)!
}

/** The telling pieces of a file's path: `crates/order-store/src/lib.rs` gives `order_store`. */
export const piecesOfPath = remembered(path => path.split('/').map(clean).filter(p => !HOLLOW.has(p)))

/** A call's name in pieces, what it is called last: `acme.com/shop/store.Open` gives acme.com … store, Open. */
export const piecesOfName = remembered(name => {
  const slash = name.lastIndexOf('/')
  const before = slash === -1 ? [] : name.slice(0, slash).split('/')
  return [...before, ...name.slice(slash + 1).replace(/\.(?:[cm]?[jt]sx?(?=\.|$)|(?:ba)?sh$)/, '').split(/::|\./)].map(clean).filter(p =>
    p !== '?' && !HOLLOW.has(p)
  )
})

/** Names that half of all classes have say nothing by themselves. */
const COMMON =
  /^(get|set|run|new|open|close|start|stop|add|put|remove|delete|create|build|init|setup|set_?up|tear_?down|call|apply|execute|next|read|write|send|load|save|clear|reset|update|handle|process|test|check|main|do|make|id|name|of|from|to_?string|to_?json|clone|copy|equals|compare|hash|size|len|length|value|values|key|keys|items?|default|with|into|parse|format|print|log|wait|join|poll|connect|accept|request|fetch|find|list|map|filter|push|pop|insert|query|exec|begin|end|commit|flush|finish|finali[sz]e|register|publish|receive|notify|submit|upgrade|shutdown|enable|disable)$/i
export const isTelling = (name: string): boolean => name.length > 4 && !COMMON.test(name)
