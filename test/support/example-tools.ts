/** The names of the example shop's tools, in the order in which they are listed. */
export const exampleTools: readonly string[] = [
  'add_item',
  'checkout',
  'convert_price',
  'create_basket',
  'get_product',
  'get_weather',
  'remove_item',
  'search_catalog',
  'view_basket',
]
