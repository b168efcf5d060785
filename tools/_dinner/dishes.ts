/** A dish, and what the shop would cook and serve it with. */
export interface Dish {
  readonly name: string
  readonly skus: readonly string[]
}

export const dishes: readonly Dish[] = [
  { name: 'Apricot tart', skus: ['BK-303', 'BK-305', 'KN-103'] },
  { name: 'Beef stew with carrots', skus: ['CW-202', 'KN-101', 'UT-402'] },
  { name: 'Focaccia with rosemary', skus: ['BK-304', 'BK-306'] },
  { name: 'Grilled courgettes with halloumi', skus: ['CW-205', 'TW-605'] },
  { name: 'Minestrone', skus: ['CW-204', 'KN-101', 'TW-602'] },
  { name: 'Mushroom risotto', skus: ['CW-203', 'UT-402', 'UT-405'] },
  { name: 'Pan-fried trout', skus: ['CW-201', 'UT-404', 'TW-605'] },
  { name: 'Ramen', skus: ['CW-204', 'KN-102', 'TW-602'] },
  { name: 'Roast chicken with lemon', skus: ['CW-202', 'KN-101', 'TW-605'] },
  { name: 'Trofie with pesto', skus: ['CW-204', 'UT-403', 'UT-405'] },
]
