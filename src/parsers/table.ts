/** Tables are asked for whatever names a file has, `constructor` and `toString` included, so they inherit none. */
export const table = <T>(rows: Record<string, T>): Readonly<Record<string, T>> => Object.assign(Object.create(null), rows)
