/** Who a request is from, once that has been proved. Nobody is `null`. */
export interface Caller {
  /** The name that the issuer of the credentials knows the caller by. */
  readonly subject: string
}
