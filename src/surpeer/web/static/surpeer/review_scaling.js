// Scaling numbers to a total by largest remainders: the twin of surpeer/web/reviews/scaling.py.
"use strict";

globalThis.surpeerScaled = function (numbers, whole) {
  const total = numbers.reduce((sum, number) => sum + number, 0);
  if (total === 0) return numbers.slice();
  const floors = numbers.map((number) => Math.floor((number * whole) / total));
  const remainders = numbers.map((number) => (number * whole) % total);
  const places = numbers.map((_, place) => place);
  places.sort((one, other) => remainders[other] - remainders[one] || one - other);
  const missing = whole - floors.reduce((sum, number) => sum + number, 0);
  for (const place of places.slice(0, missing)) floors[place] += 1;
  return floors;
};
