#!/usr/bin/env bash
# Grades a folder of whole programs that say in their first line what is expected, and prints how well the grader judges them. The
# course's own submissions are in tests/TOPIC/NAME.submissions; this is for programs that others wrote.
#
#   tests/submissions.sh BUILD_FOLDER FOLDER [REGEX]      e.g. build/course /class/week5 '06_histogram/'
#
# FOLDER/TOPIC/EXERCISE/ANY_NAME.cu, graded by that exercise's test; with a REGEX only those whose path it matches. BUILD_FOLDER
# is configured for either backend (cmake --preset solutions, or --preset gpu; a GPU detects fewer causes). The first line:
#   // expect: wrong; task: 2; kind: race; at: tile[t] += tile[t + stride]     the facts of the verdict
#   // expect: wrong; task: 2; cause: no barrier | race on `tile`              its sentences have one of these words
#   // expect: other; task: 2; demand: threads                      right results, but not as the exercise asks
#   // expect: refused; cause: __device__ | host function           the compiler refuses it, in a sentence with one of these words
#   // expect: right                                                it passes
# The cause is named if each of the fields `kind`, `at`, `demand` and `cause` that the line has agrees with the verdict; `at` is a part of
# a source line that the verdict names. "A | B" allows both; no task allows any. `misleads: A | B` are words that no sentence may have.
# "variant: KIT_DEBUG_SYNC" grades the build with that definition. Words are searched in the sentences of the failed case, without names
# of files, and not in the rest of the screen. A verdict misleads if it has such words, or names a task that is not allowed.
# Exits 0 if 99% of the wrong ones are rejected, 95% of these verdicts name the cause and 93% the task, every right one passes and other
# methods are recognized. The seconds are processor time. With KIT_GRADED=1, the verdicts of the last run are only compared again.
set -euo pipefail
build=$(realpath "${1:?BUILD_FOLDER, see the top of this script}") folder=$(realpath "${2:?FOLDER}") regex=${3:-.}
root=$(realpath "$(dirname "$0")/..")
out=$build/graded_submissions
export build folder root out
mapfile -t files < <(cd "$folder" && find . -mindepth 3 -name '*.cu' | sed 's|^\./||' | grep -E "$regex" | sort)
((${#files[@]} > 0)) || { echo "submissions.sh: none in $folder matches $regex" >&2; exit 2; }

field() { head -n 1 "$1" | tr ';' '\n' | sed -n "s/^ *\(\/\/ \)\?$2\(: *\| \) *//p" | sed 's/ *$//'; }  # FILE KEY
alternatives() { field "$1" "$2" | sed 's/ *| */\n/g'; }                                                # FILE KEY

grade() {  # TOPIC/EXERCISE/NAME.cu: writes beside what it builds NAME.verdict, ends it with the exit status; NAME.told and
    # NAME.seconds
    local submission=$folder/$1 topic exercise name variant target work status=0 TIMEFORMAT="%U %S"
    IFS=/ read -r topic exercise name <<<"$1"
    name=${name%.cu} variant=$(field "$submission" variant)
    target=$topic.$exercise${variant:+.$variant} work=$out/$topic/$exercise
    mkdir -p "$work"
    cp "$submission" "$work/$name.cu"
    : >"$work/$name.told"
    : >"$work/$name.seconds"
    # The commands that build an exercise, with other files: translate, compile and link for the CPU, compile and link (twice, where kernels
    # call functions of other files) for a GPU.
    sed -E "s#[^ ]*/$topic/$exercise\.cu( |$)#$work/$name.cu #g; s#--depfile [^ ]+##; s# && [^ ]*cmake -E cmake_transform_depfile.*##
            s# -M[DTF]( [^ -][^ ]*)?##g; s#[^ ]*translated/exercise\.$target/$exercise\.cu\.cpp#$work/$name.cpp#g
            s#[^ ]*/exercise\.$target\.dir/(__/exercises/$topic/$exercise\.cu\.o|cmake_device_link\.o)#$work/$name.\1#g
            s#$work/$name\.__/exercises/$topic/$exercise\.cu\.o#$work/$name.cpp.o#g; s#-o exercise/[^ ]+#-o $work/$name#" "$out/$target.commands" >"$work/$name.build"
    if (cd "$build" && sh -e "$work/$name.build") >"$work/$name.log" 2>&1; then
        { time "$build/kit_course" --course "$build/course.txt" judge --name "submission.$topic.$exercise.$name" --mode pass \
            --submission "$work/$name.cu" -- "$work/$name" >"$work/$name.verdict" 2>&1 || status=$?; } 2>"$work/$name.time"
        awk -v name="$1" 'END { print int(1000 * ($1 + $2)), name }' "$work/$name.time" >"$work/$name.seconds"
        "$build/kit_author" --course "$build/course.txt" told "$build/results/submission.$topic.$exercise.$name.json" "$work/$name.cu" \
            >"$work/$name.told"
        rm -f "$build/results/submission.$topic.$exercise.$name.json"  # no part of anybody's scoreboard
    else
        cp "$work/$name.log" "$work/$name.verdict"; status=compile
    fi
    echo "$status" >>"$work/$name.verdict"
    rm -f "$work/$name" "$work/$name".{cpp,cpp.o,cmake_device_link.o,build,log,time}
}
export -f grade field

if [ -z "${KIT_GRADED:-}" ]; then
    targets=$(for file in "${files[@]}"; do variant=$(field "$folder/$file" variant); echo "$(dirname "$file" | tr / .)${variant:+.$variant}"; done | sort -u)
    mkdir -p "$out"
    # shellcheck disable=SC2086
    ninja -C "$build" kit_shared kit_course kit_author $(printf 'test.%s ' $targets) >"$out/build.log" || { cat "$out/build.log"; exit 2; }
    for target in $targets; do
        ninja -C "$build" -t commands "exercise.$target" | grep -F "exercise.$target" | sed 's/^cd [^&]*&& //' >"$out/$target.commands"
    done
    printf '%s\n' "${files[@]}" | xargs -P "${KIT_JOBS:-$(nproc)}" -I{} bash -c 'grade "$1"' _ {}
fi

agrees() {  # FILE KEY FACTS [exactly]: the line has no such field, or one of its values is a fact, or part of one
    local value values how=-qF
    [ "${4:-}" = exactly ] && how=-qxF
    values=$(alternatives "$1" "$2")
    [ -z "$values" ] && return 0
    while IFS= read -r value; do grep $how -- "$value" <<<"$3" && return 0; done <<<"$values"
    return 1
}
told() { sed -n "s/^$2: //p" "$out/${1%.cu}.told"; }  # FILE KEY

wrong=0 rejected=0 caused=0 tasked=0 misleading=0 other=0 recognized=0 right=0 passed=0 disagreements=()
for file in "${files[@]}"; do
    submission=$folder/$file
    status=$(tail -n 1 "$out/${file%.cu}.verdict")
    expected=$(field "$submission" expect)
    if [ "$expected" = right ]; then
        right=$((right + 1))
        if [ "$status" = 0 ]; then passed=$((passed + 1)); else disagreements+=("turned away: $file"); fi
        continue
    fi
    if [ "$expected" = other ]; then
        other=$((other + 1))
        if [ "$(told "$file" kind)" = other_method ] && agrees "$submission" demand "$(told "$file" demand)" exactly; then
            recognized=$((recognized + 1))
        else
            disagreements+=("not seen as another method: $file")
        fi
        continue
    fi
    wrong=$((wrong + 1))
    if [ "$expected" = refused ]; then
        [ "$status" = compile ] || { disagreements+=("not refused by the compiler: $file"); continue; }
        rejected=$((rejected + 1)) tasked=$((tasked + 1))
        if agrees "$submission" cause "$(grep ': error: ' "$out/${file%.cu}.verdict")"; then caused=$((caused + 1)); else disagreements+=("another cause: $file"); fi
        continue
    fi
    case $status in
        0) disagreements+=("passed although wrong: $file"); continue ;;
        compile) disagreements+=("does not compile: $file"); continue ;;
    esac
    rejected=$((rejected + 1)) faults=()
    says=$(told "$file" says) task=$(told "$file" task)
    if agrees "$submission" kind "$(told "$file" kind)" exactly && agrees "$submission" demand "$(told "$file" demand)" exactly &&
        agrees "$submission" at "$(told "$file" at)" && agrees "$submission" cause "$says"; then
        caused=$((caused + 1))
    else
        faults+=("another cause")
    fi
    # The verdict may name several tasks, of which one is right.
    if agrees "$submission" task "${task//, /$'\n'}" exactly; then tasked=$((tasked + 1)); else faults+=("another task"); fi
    if [ -n "$(field "$submission" misleads)" ] && agrees "$submission" misleads "$says"; then faults+=("misleading words"); fi
    case " ${faults[*]-} " in *task\ * | *words\ *) [ "$task" = none ] && [ "${faults[*]}" = "another task" ] || misleading=$((misleading + 1)) ;; esac
    ((${#faults[@]} == 0)) || disagreements+=("$(printf '%s, ' "${faults[@]}" | sed 's/, $//'): $file")
done

for one in ${disagreements[@]+"${disagreements[@]}"}; do
    file=${one#*: }
    echo "== $one"
    sed -n '1s/^/   /p' "$folder/$file"
    grep -v '^$' "$out/${file%.cu}.verdict" | sed '/^RESULT pass/,$d' | head -n 18 | sed 's/^/   > /' || true  # head ends early
done
percent() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%d of %d (%.1f%%)", a, b, b ? 100 * a / b : 100 }'; }
milliseconds=$(for file in "${files[@]}"; do cat "$out/${file%.cu}.seconds"; done | sort -n)
echo "wrong ones rejected:        $(percent $rejected $wrong)      goal: 99%"
echo "of these, true cause named: $(percent $caused $rejected)      goal: 95%"
echo "of these, right task named: $(percent $tasked $rejected)      goal: 93%"
((other == 0)) || echo "other methods recognized:   $(percent $recognized $other)      goal: 100%"
echo "of these, misleading:       $(percent $misleading $rejected)      goal: 0%"
echo "right ones passed:          $(percent $passed $right)      goal: 100%"
awk '{ at[NR] = $1; file = $2 } END { if (NR) printf "seconds per verdict:        median %.1f, largest %.1f (%s)\n", at[int((NR + 1) / 2)] / 1000, at[NR] / 1000, file }' <<<"$milliseconds"
((rejected * 100 >= wrong * 99 && caused * 100 >= rejected * 95 && tasked * 100 >= rejected * 93 && recognized == other && passed == right))
