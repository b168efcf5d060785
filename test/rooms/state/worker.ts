export { Handles } from './handles-fixture.ts'
export { Hub } from '../../../src/objects/hub-object.ts'
export { Bridge } from '../../../src/objects/bridge-object.ts'
export { default } from './hub-fixture.ts'
