/** Nothing but what `createWorker` needs. */
export const options = { name: 'helve-bare', version: '1.0.0' }
