#!/bin/sh
# check.sh WORK COMPILER TABLE...: small programs that nvcc refuses, and look-alikes that it accepts, under the executor's
# compiler (kitcc) or nvcc. Each program of a table begins with
#
#   ==== its_name
#   // refused      nvcc and the executor refuse it; the executor in the line with the mark `// <-`
#   // warned       nvcc compiles it with a warning, the executor refuses it in the marked line
#   // accepted     both compile it
#   // here: WHY    only the executor refuses it
#   // gap: WHY     only nvcc refuses it
#
# Options of the compiler may follow the word. The first line of a table describes its contents.
work=$1 compiler=$2
shift 2
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
case ${compiler##*/} in nvcc*) is_nvcc=yes ;; *) is_nvcc=no ;; esac
awk '/^==== /{ file = $2 ".cu"; if (seen[file]++) print "FAIL  two programs " file > "failures"; next }
     FNR == 1 { file = "" } file { print > file }' "$@" || exit 1

cat >one.sh <<'EOS'
# one.sh COMPILER IS_NVCC NAME: checks one program; prints a line if it differs from its first line.
name=$3
read -r slashes word rest <"$name.cu"
options=$(printf '%s\n' "$rest" | grep -oE -e '--[a-z-]+')
flags=
[ "$2" = yes ] && flags="-arch=sm_90 -cuda"  # all of nvcc, and nothing of the compiler of the host
"$1" -std=c++17 $options ${flags:--c} -o "$name.o" "$name.cu" >"$name.log" 2>&1 && got=accepted || got=refused
grep -q 'warning' "$name.log" && [ "$2$got" = yesaccepted ] && got=warned
case $2,$word in
    yes,accepted | yes,here:) want='accepted|warned' ;;
    yes,gap:) want=refused ;;
    yes,*) want=$word ;;
    no,accepted | no,gap:) want=accepted ;;
    no,refused | no,warned | no,here:) want=refused ;;
esac
case "|$want|" in *"|$got|"*) ;; *)
    printf 'FAIL  %s: expected %s, got %s\n' "$name" "$want" "$got" && sed 's/^/    /;3q' "$name.log"
    exit ;;
esac
# The marked line, and one sentence: the first line of the message must not contain a name of the executor.
line=$(grep -n '// <-' "$name.cu" | cut -d: -f1)
[ "$2$got" = norefused ] && [ -n "$line" ] || exit 0
first=$(grep -m1 'error:' "$name.log")
case $first in */"$name.cu:$line:"*) ;; *) printf 'FAIL  %s: no message for line %s\n    %s\n' "$name" "$line" "$first" ;; esac
EOS
names() { ls ./*.cu | sed 's/^..//; s/.cu$//'; }

# Many programs in one file, each in its own namespace, because nvcc spends most of its time on its own headers.
together() {  # NAME...
    {
        for name; do grep '^#include' "$name.cu"; done | sort -u
        for name; do
            printf 'namespace in_%s {\n#line 1 "%s.cu"\n' "$name" "$name"
            sed 's/^#include.*//' "$name.cu"
            printf '\n}\n'
        done
    } >together/all.cu
    "$compiler" -std=c++17 -arch=sm_90 -cuda -o together/all.o together/all.cu >together/log 2>&1
}
told() { grep -q "^$1.cu($2): error" together/log; }  # NAME LINE: does nvcc refuse something there?

# Programs that nvcc refuses at their marked lines must also be refused in a joint file, and accepted ones accepted. `alone` are those
# that must be compiled separately: they spoil the joint file, are refused in another line, or only cause a warning.
ask_together() {
    alone=$(grep -LE '^// (accepted|here:|refused|gap:)' ./*.cu | sed 's/^..//; s/.cu$//')
    for name in $(names); do
        read -r slashes word rest <"$name.cu"
        case $word:$(grep -c '// <-' "$name.cu"):$rest in
            accepted:*--* | refused:0:* | gap:0:*) alone="$alone $name" ;;
            accepted:* | here:*) accepted="$accepted $name" ;;
            refused:* | gap:*) left="$left $name" ;;
        esac
    done
    until [ -z "$accepted" ] || together $accepted; do
        before=$accepted accepted=
        for name in $before; do
            if told "$name" '[0-9]*'; then alone="$alone $name"; else accepted="$accepted $name"; fi
        done
        [ "$accepted" != "$before" ] || { alone="$alone $accepted"; break; }
    done
    while [ -n "$left" ]; do  # nvcc looks for some mistakes only where there are no others
        before=$left left=
        together $before && { alone="$alone $before"; break; }
        for name in $before; do
            told "$name" "$(grep -n '// <-' "$name.cu" | cut -d: -f1)" && continue
            if told "$name" '[0-9]*'; then alone="$alone $name"; else left="$left $name"; fi
        done
        [ "$left" != "$before" ] || { alone="$alone $left"; break; }
    done
}
mkdir together
if [ $is_nvcc = yes ]; then ask_together; else alone=$(names); fi
printf '%s\n' $alone | xargs -P 2 -n 1 sh one.sh "$compiler" $is_nvcc >>failures
cat failures
programs=$(ls ./*.cu | wc -l)
failed=$(grep -c '^FAIL' failures)
echo "$failed of $programs programs failed; $(echo $alone | wc -w) were asked for alone"
[ "$failed" = 0 ] && [ "$programs" -ge 190 ]
