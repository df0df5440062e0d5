#!/bin/sh
# Tests that several submissions can be in one program (kit_join choose): the program's name selects the one that runs.
#
#   tests/kit/choose_test.sh CXX NM KIT_JOIN FOLDER     a compiler, its nm, the program, a folder to work in
set -eu
cxx=$1 nm=$2 kit_join=$3 work=$4
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$work" && mkdir -p "$work" && cd "$work"
fail() { echo "choose: $*"; exit 1; }
choose() { "$cxx" -c submissions.cpp -o submissions.o && "$kit_join" choose chosen.cpp "$nm" sum.% submissions.o test.o; }

contract='namespace sums { struct Pair { long a, b; }; struct Big { int values[9]; Pair total(const Pair* pairs, double by) const; };
Big twice(Big big, Pair pair, float x); template <class T> T least(T x); }'

# The calls pass arguments and results in memory, in registers, and through a hidden pointer; some call a class member or a template.
cat >test.cpp <<END
$contract
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
int main(int count, char** words) {
    sums::Pair pair = {1, 2};
    sums::Big big = sums::twice({{1, 2, 3}}, pair, 0.5f);
    std::printf("%d %ld %d\n", big.values[2], big.total(&pair, 2.0).b, sums::least(5));
    std::fflush(stdout);
    if (count == 1) execl("/proc/self/exe", "/proc/self/exe", "again", nullptr);
    return words[count] ? 1 : 0;
}
END
submission() {  # NAMESPACE FACTOR
    echo "namespace $1 { $contract namespace sums {
    Big twice(Big big, Pair pair, float x) { big.values[2] = $2 * int(big.values[2] + pair.b + 2 * x); return big; }
    Pair Big::total(const Pair* pairs, double by) const { return {0, long($2 * by * pairs->b + values[0])}; }
    template <class T> T least(T x) { return $2 - x; }
    template int least(int); } }"
}
"$cxx" -c test.cpp -o test.o
{ submission starter_sum 0; submission wrong_one 1; submission right_two 10; } >submissions.cpp
choose || fail "right submissions are refused"
"$cxx" -I "$root/common" chosen.cpp submissions.o test.o -o all
ln -s all sum && ln -s all sum.one && ln -s all sum.two
[ "$(./sum.one)" = "6 5 -4
6 5 -4" ] || fail "sum.one says $(./sum.one)"
[ "$("$work/sum.two")" = "60 41 5
60 41 5" ] || fail "sum.two says $(./sum.two)"
[ "$(./sum)" = "0 1 -5
0 1 -5" ] || fail "the starter says $(./sum)"
status=0; ./all 2>said || status=$?
[ $status = 2 ] && grep -q '^    sum.two$' said || fail "under no submission's name: status $status, $(cat said)"

echo 'namespace wrong_one { namespace sums { int count; } }' >submissions.cpp
choose >said 2>&1 && fail "no function, and not refused"
grep -qF "sum.%: the test calls nothing that the submissions define" said || fail "no function: $(cat said)"
