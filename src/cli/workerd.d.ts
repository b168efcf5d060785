declare module 'workerd' {
  const workerd: {
    /** The path of the binary. */
    readonly default: string
    /** The newest compatibility date that the binary knows. */
    readonly compatibilityDate: string
  }
  export default workerd
}
