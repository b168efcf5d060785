// Written by test/unicode/write-tables.ts from Unicode 17.0.0, in the form that readRanges reads.

/** Letters that join to the next letter: Joining_Type is Dual_Joining, Left_Joining or Join_Causing. */
export const joinsNext =
  '17k 6 2 2.4 5.k 2.1 10.1 9.f j.11 2.1 a 2 2.1 15.2 3 j.2 6.3 2.8 2 2 2.1 w.a 4.e 3.3 2 3.2 3.5 23.w g 1z.4 3 2.9 2 b 2.3 3 r.3 3.4 2 h.9 6.1 3.5 2.e 30f 3 m.2g f.z sd2.1e jf2.4 9 6.9 2.2 b.3 42 2 4.2 2.1 2 3 t.1 9e.x 2 bk.1 2.1 2x.2 2.g d.2 t.3 3.b 1b 2.1 5 3.1 2.1 2 3 6.1 16wl.1v'

/** Letters that join to the previous letter: Dual_Joining, Right_Joining or Join_Causing. */
export const joinsPrevious =
  '17k 2.14 10.5 2.2m 2 p.1 b.2 3 h.33 23.w g 1y.o 8 2.3 2.v 3.6 h.c 2.q 30f 3 m.2g f.z sd2.1d jf3.5 2 2.1 4.8 2.9 3.b 41.h o.5 9f.y bj.2 2.1 2x.k d.3 s.h 1b 2.4 2.7 2.3 5.1 16wm.1v'

/** Signs that remove the vowel of a consonant (Indic_Syllabic_Category). */
export const viramas =
  '1u5 3k 3k 3k 3k 3k 3k 3k 32.1 h 3h 34 k 30 5m 51.1 1cq.1 v 4d.1 i6 q 5m 2u.1 1z.1 ro3 12 48 3z 31 8m 6v imq 16v 16 21 3e.1 3w 39 51 2r 3l.2 36 3k 71 3k 3b 39 7i 78.1 4i 2c j 2a bq 79.1 2a bu.1 d0t 2f0.1'

/** Emoji with a text style and an emoji style (emoji-variation-sequences.txt). */
export const styledEmoji =
  '4p 5 68e d 61 n 2j.5 g.1 a8.1 d 4n q.a 5.2 5k 6g.1 b a 1n.3 2.4 a 3 3.1 3 5 3 2.1 3 4 4.1 9.2 6 2 6.b c.1 3 2.1 2 j 3.1 j.5 2 2.1 4.1 6 3.1 5.1 c.1 6.1 3 6.1 2 2.1 l.1 6.5 2.3 3 5 3 3.5 2 3 2 2 7 4 7 b.1 g 3 5 2 5.2 2 c.1 1d.2 a f f ad.1 cw.2 k.1 1g 5 yj d gq 2 2fzf a4.1 d.1 3n o l 8 5y.2 6 7 5 3.8 a 1u 5 m 3.1 2.2 3.1 8 5.2 k 2 2 4.4 6.c d 6 2 2 h d a 7 p 2.1 4.3 4.1 5 n j 12 d 3 8 4 c f 5 5.2 4.3 a 2.2 2 b 5 5.1 1i.1 6.n 8.1 3.6 e 3.3 3 l 3 9.1 a 6.2 d.2 9.2 3 2 5 7 4 7 m 3b 6 4 3 4 l 5 7.1 2 f 2.2 h.5 4 7 3'

/** What has a variant with each of U+FE00 to U+FE06 (StandardizedVariants.txt). */
export const variants: readonly string[] = [
  '1c 34g 2 2 c.1 4 4.1 2.1 5 f 1w 3 2 6 32w.1 3.1 6m 5 2 9 h 4.1 2 5u 10.1 1q.1 9.1 n.1 8.2 2 5 1q.1 1cs 3p.1 2o.1 e.1 u.1 111.1 nro 6 2.2 8 e0.6 5.1 3 b gp3 b 2 2 a.1 4 2au.1 g.1 a 7g0 3i d 5 6 i 2v h 7.1 i l p.1 3l 4 6 7 u x h b w k 7 q 1n.1 x.1 1l h.1 2 7 4 3.1 w 3.1 9 w.3 1ia.2 p4 tgq.p',
  '6c8.1 3.1 6m 5 2 9 h 4.1 2 2xa.1 14vz b 2 c.1 4 9ro 4f 7 26 16 1p a.2 2l 14 c p 2s a.2 7 6.1 f 53 1d 26e np svc.p',
  '6c8.1 3.1 1hx6 y 22 t q 1g 14 2t 15 1v 2 f 5 5.1 d.4 8 5 g p n i a 8 16.1 f s 2 1o j 2 2ti',
  '1o2a 4m 2 2d w a 23 o.1 2 i 16 16 41 4i 69',
  '1oah k4',
  '1oah 3ej',
  '1oa7 a 23 2f j n 4f 1x 1u d 1k.1 4o 2u3',
]
