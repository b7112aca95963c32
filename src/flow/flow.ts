export interface Flows {
  readonly of: (unit: number) => readonly Flow[]
}
export interface Flow { readonly source: number }
