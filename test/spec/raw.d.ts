/** Vite imports the text of any file. */
declare module '*?raw' {
  const text: string
  export default text
}
