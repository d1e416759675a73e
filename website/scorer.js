// The order of the search: pages about the work on the package follow those for its users.
const _INTERNAL =
  /^(benchmarks|changelog|compile-times|gpu|strength|tests-of-the-package|decisions\/|dev\/)/

var Scorer = {
  score: ([page, , , , score]) => (_INTERNAL.test(page) ? score - 100 : score),
  // the values of Sphinx
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
}
