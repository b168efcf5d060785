import type { Item } from '../product.ts'

export const cookware: readonly Item[] = [
  {
    sku: 'CW-201',
    name: 'Carbon steel frying pan, 28 cm',
    description:
      'Heats fast, sears hard and turns non-stick as it seasons. For every hob, induction too.',
    madeIn: 'Val-d’Ajol, France',
    priceCents: 4900,
    weightGrams: 1980,
    materials: ['carbon steel', 'beeswax finish'],
    care: 'No soap, no dishwasher: wipe out, warm dry, rub with a drop of oil.',
    stock: 40,
  },
  {
    sku: 'CW-202',
    name: 'Enamelled cast-iron casserole, 4.2 l',
    description:
      'Round, with a self-basting lid. Braises for four to six, bakes bread, goes to the table.',
    madeIn: 'Aisne, France',
    priceCents: 21900,
    weightGrams: 4700,
    materials: ['cast iron', 'enamel'],
    care: 'Let it cool before washing. Wooden or silicone tools keep the enamel whole.',
    stock: 9,
  },
  {
    sku: 'CW-203',
    name: 'Saucepan with lid, 16 cm, 1.5 l',
    description:
      'Three-ply walls, so milk and caramel do not catch at the sides. Pours without dripping.',
    madeIn: 'Brescia, Italy',
    priceCents: 7900,
    weightGrams: 1120,
    materials: ['18/10 stainless steel', 'aluminium core'],
    care: 'Dishwasher safe. White spots go with a little vinegar.',
    stock: 33,
  },
  {
    sku: 'CW-204',
    name: 'Stockpot with lid, 24 cm, 9 l',
    description:
      'Tall and narrow, to keep a stock clear; holds two kilograms of bones or a big pasta.',
    madeIn: 'Brescia, Italy',
    priceCents: 10900,
    weightGrams: 2650,
    materials: ['18/10 stainless steel', 'aluminium base'],
    care: 'Dishwasher safe.',
    stock: 14,
  },
  {
    sku: 'CW-205',
    name: 'Cast-iron grill pan, 26 cm',
    description: 'Square, with high ribs and a spout for the fat. Fits under the oven’s grill.',
    madeIn: 'Småland, Sweden',
    priceCents: 6450,
    weightGrams: 3100,
    materials: ['cast iron', 'rapeseed oil finish'],
    care: 'Rinse hot, brush between the ribs, dry on the hob, oil thinly.',
    stock: 0,
  },
  {
    sku: 'CW-206',
    name: 'Copper jam pan, 38 cm',
    description:
      'Wide and unlined, so that jam sets before it browns. For sugar and fruit together only.',
    madeIn: 'Villedieu-les-Poêles, France',
    priceCents: 16900,
    weightGrams: 2300,
    materials: ['copper', 'brass handles'],
    care: 'Never leave acidic fruit in it without sugar. Polish with lemon and salt.',
    stock: 5,
  },
]
