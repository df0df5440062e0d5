#!/bin/sh
# run_test.sh is given programs that cheat, fail or say nothing, and must give each the right exit status and closing line.
# Usage: run_test_test.sh ROOT FOLDER
root=$1 folder=$2
judge=$root/common/cmake/run_test.sh
rm -rf "$folder" && mkdir -p "$folder/results" || exit 1
cases=0 failures=0

# expect STATUS LAST_LINE MODE SCRIPT [option value]...: SCRIPT is the program, in sh; $KIT_TOKEN is there.
expect() {
    status=$1 last=$2 mode=$3
    { echo '#!/bin/sh'; echo "$4"; } >"$folder/program"
    chmod +x "$folder/program"
    shift 4
    sh "$judge" --name one.two --results "$folder/results" --root "$folder" --backend CPU --mode "$mode" "$@" \
        -- "$folder/program" >"$folder/said" 2>&1
    got=$?
    cases=$((cases + 1))
    case $(tail -n 1 "$folder/said") in
        "$last"*) [ "$got" -eq "$status" ] && return ;;
    esac
    failures=$((failures + 1))
    echo "FAIL exit status $got, wanted $status and a last line \"$last\", after:"
    sed 's/^/    /' "$folder/said"
}

honest='echo "RESULT pass: 2 of 2 cases [$KIT_TOKEN]"'
expect 0 'RESULT pass: 2 of 2 cases' pass "$honest"
expect 1 'RESULT fail: the program ended (exit status 0) without' pass 'exit 0'
expect 1 'RESULT fail: the program ended (exit status 0) without' pass 'echo "RESULT pass: 2 of 2 cases"'
expect 1 'RESULT fail: the program ended (exit status 0) without' pass 'echo "RESULT pass: 2 of 2 cases [0123]"'
expect 1 'RESULT fail: the program ended (exit status 0) without' pass "$honest; echo done"
expect 1 'RESULT fail: the grader said "RESULT pass' pass "$honest; exit 3"
expect 1 'RESULT fail: the grader said "RESULT fail' pass 'echo "RESULT fail: 1 of 2 cases [$KIT_TOKEN]"; exit 0'
expect 1 'RESULT fail: 1 of 2 cases' pass 'echo "RESULT fail: 1 of 2 cases [$KIT_TOKEN]"; exit 1'
expect 1 'RESULT fail: the program ended (signal 9) without' pass 'kill -9 $$'
expect 77 'RESULT skip: no GPU' pass 'echo "RESULT skip: no GPU [$KIT_TOKEN]"; exit 77'
expect 1 'RESULT fail: the program ended (exit status 77) without' pass 'exit 77'
expect 1 'RESULT open: TODO(1) is still open' pass 'echo "RESULT open: TODO(1) is still open [$KIT_TOKEN]"; exit 1'
expect 0 'RESULT pass: reported as open' open 'echo "RESULT open: TODO(1) is still open [$KIT_TOKEN]"; exit 1'
expect 1 'RESULT fail: a starter must be' open "$honest"

printf '// wrong: x\n// diagnosis: off by a block\n// diagnosis.gpu: only there\nint x;\n' >"$folder/wrong.cu"
printf '// wrong: x\n// backends: gpu (a race)\n// diagnosis: x\n' >"$folder/gpu.cu"
printf '// wrong: x\n\n// diagnosis: not at the top\n' >"$folder/none.cu"
failing='echo "RESULT fail: 0 of 2 cases [$KIT_TOKEN]"; exit 1'
expect 0 'RESULT pass: rejected' wrong "echo '  off by a block'; $failing" --submission "$folder/wrong.cu"
expect 1 'RESULT fail: rejected, but not with' wrong "$failing" --submission "$folder/wrong.cu"
expect 1 'RESULT fail: rejected, but not with' wrong "echo '  | off by a block'; $failing" --submission "$folder/wrong.cu"
expect 1 'RESULT fail: this wrong submission was not' wrong "$honest" --submission "$folder/wrong.cu"
expect 77 'RESULT skip: only the gpu backend' wrong "$honest" --submission "$folder/gpu.cu"
expect 1 'RESULT fail: the submission names no diagnosis' wrong "$failing" --submission "$folder/none.cu"

echo 'x.cu:1: error: no' >"$folder/note.compile"
expect 1 'RESULT fail: does not compile     again: go' pass "$honest" --notes "$folder/note" --submission "$folder/x.cu" --again go
expect 0 'RESULT pass: ended and said' message 'echo "what is  x?"; exit 2' --status 2 --expect 'what is x?'
expect 1 'RESULT fail: exit status 0, not 2' message 'echo x' --status 2 --expect x
expect 1 'RESULT fail: it did not say' message 'echo y; exit 2' --status 2 --expect x
expect 1 'RESULT fail: exit status 0, but' message 'echo x' --status 'not 0' --expect x
expect 77 'RESULT skip: the program cannot' message 'echo "RESULT skip: no GPU"; exit 77' --status 0 --expect x
expect 0 'RESULT pass: ended and said' message 'echo "RESULT skip: no GPU"; exit 77' --status 77 --expect GPU

# A forged verdict is shown as the program's own word, never at the start of a line.
expect 1 'RESULT fail: the program ended' pass 'echo "RESULT skip: no GPU"; exit 77'
grep -q '^  | RESULT skip: no GPU' "$folder/said" || { failures=$((failures + 1)); echo "FAIL the forged line is not marked"; }

echo "$((cases - failures)) of $cases cases"
[ "$failures" -eq 0 ] && [ "$cases" -gt 0 ]
