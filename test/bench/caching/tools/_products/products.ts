const materials = ['steel', 'beech', 'cast iron', 'linen', 'glass']

export const products = Array.from({ length: 500 }, (_, number) => ({
  sku: `KN-${number}`,
  name: `Product ${number}`,
  material: materials[number % materials.length] ?? '',
  priceCents: 990 + number,
}))
