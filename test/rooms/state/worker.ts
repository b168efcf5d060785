export { Handles } from './handles-fixture.ts'
export { Hub } from '../../../src/objects/hub-object.ts'
export { default } from './hub-fixture.ts'
