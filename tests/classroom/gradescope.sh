#!/bin/sh
# Tests of the autograder for Gradescope: the zip file is complete and can be configured, setup.sh leaves no solution, run_autograder grades
# one submission in a simulated /autograder, and a failure of the autograder itself gives no points.
# Usage: gradescope.sh ROOT FOLDER BUILD
set -u
root=$1
folder=$2
build=$3
said=$folder/said

skip() {
    echo "skipped: $1"
    echo "RESULT skip"
    exit 77
}
fail() {
    echo "gradescope.sh: $1"
    tail -n 30 "$said"
    exit 1
}
says() { grep -q -e "$1" "$said" || fail "expected to read: $1"; }

for program in bash zip unzip git; do
    command -v $program >/dev/null || skip "$program is not installed: apt-get install $program"
done
git -C "$root" rev-parse >/dev/null 2>&1 || skip "the zip is made from a checkout of git"
rm -rf "$folder"
mkdir -p "$folder/mine" "$folder/stubs" "$folder/autograder/source" "$folder/autograder/submission"
: >"$said"

# 1. The zip file, with the instructor's own settings.
printf "ONLY='first_kernel'\nOPTIONS='--seed 4711'\n" >"$folder/mine/assignment.conf"
bash "$root/common/classroom/templates/make_autograder.sh" "$folder/auto.zip" "$folder/mine" >"$said" 2>&1 || fail "no zip"
source=$folder/autograder/source
unzip -q "$folder/auto.zip" -d "$source" || fail "the zip cannot be opened"
[ -x "$source/run_autograder" ] && [ -x "$source/setup.sh" ] || fail "they cannot be executed"
grep -q 4711 "$source/assignment.conf" || fail "the instructor's settings are not in the zip"
find "$source/course" -name '*.submissions' -o -name '*.screens' >"$said"
[ -s "$said" ] && fail "wrong submissions are in the zip"

# 2. setup.sh, with scripts that replace apt-get and the build, which would take minutes.
cat >"$folder/stubs/apt-get" <<'END'
#!/bin/sh
echo "apt-get $*"
END
cat >"$folder/stubs/cmake" <<END
#!/bin/sh
case \$1 in
--build) echo "build \$*"; [ -e build/course/kit_class ] || ln -s "$build/kit_course" "$build/kit_class" build/course ;;
*) exec "$(command -v cmake)" "\$@" -DKIT_PREBUILT="$build" ;;
esac
END
chmod +x "$folder/stubs/"*
wanted=$(find "$source/course/solutions" -name '*.cu' | wc -l)
PATH=$folder/stubs:$PATH bash "$source/setup.sh" >"$said" 2>&1 || fail "setup.sh fails"
says "apt-get install -y g++ "
says "^build .*kit_class"
[ -e "$source/course/solutions" ] && fail "solutions are left"
[ "$wanted" -ge 50 ] && [ "$(find "$source/course/tests" -name '*.starter' | wc -l)" = "$wanted" ] || fail "starters are not kept"
cmp -s "$source/course/tests/07_reduction/tree.starter" "$root/exercises/07_reduction/tree.cu" || fail "a starter is another text"

# 3. run_autograder, with a script that replaces kit_class.
results=$folder/autograder/results/results.json
grade() { AUTOGRADER="$folder/autograder" KIT_CLASS="$1" bash "$source/run_autograder" >"$said" 2>&1; }
cat >"$folder/stubs/fails" <<'END'
#!/bin/sh
echo "kit_class: no room on the disk"
exit 1
END
cat >"$folder/stubs/passes" <<'END'
#!/bin/sh
printf '%s ' "$@"
mkdir -p "$3/gradescope/student"
[ -f "$1/student/tree.cu" ] && echo '{"score": 1}' >"$3/gradescope/student/results.json"
END
chmod +x "$folder/stubs/"*
mkdir -p "$(dirname "$results")"
echo '{"score": 100}' >"$results"
echo "int x;" >"$folder/autograder/submission/tree.cu"
grade "$folder/stubs/fails" && fail "a failed autograder ends well"
says "no room on the disk"
says "the autograder failed, and not this submission"
[ -e "$results" ] && fail "there is a result of an autograder that failed"
grade "$folder/stubs/passes" || fail "run_autograder fails"
grep -q '"score": 1}' "$results" || fail "the result is another one"

# 4. run_autograder with kit_class itself.
printf "ONLY='07_reduction/tree'\n" >"$source/assignment.conf"
cp "$root/solutions/07_reduction/tree.cu" "$folder/autograder/submission/tree.cu"
grade "$build/kit_class" || fail "run_autograder fails with kit_class"
grep -Eq '"score": *1(\.0)?,?$' "$results" || { cat "$results"; fail "a solution has not its point"; }
echo "RESULT pass: zip, setup.sh and run_autograder"
