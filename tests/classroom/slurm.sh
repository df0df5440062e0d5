#!/bin/sh
# Work that is cut into a job array gives what it gives in one run, no piece of it twice, and failures are told: with a real
# slurmctld and slurmd on this machine.
# Usage: slurm.sh DRIVER FOLDER [ROOT BUILD]: with the checkout and its build folder also with kit_class itself.
set -u
driver=$1
folder=$2
here=$(cd "$(dirname "$0")" && pwd)
. "$here/slurm_cluster.sh"

fail() {
    echo "slurm.sh: $1"
    [ -f "$folder/said" ] && cat "$folder/said"
    exit 1
}
says() {
    grep -q -- "$1" "$folder/said" || fail "expected to read: $1"
}

rm -rf "$folder"
mkdir -p "$folder"

# Without a cluster there is one sentence, and nothing is submitted.
PATH=/nowhere "$driver" "$folder/none" 10 --slurm 2 >"$folder/said" 2>&1 && fail "went on without sbatch"
says "needs sbatch, which is not on this machine"
says "--shard 1/2"

cluster=$(mktemp -d)
trap 'stop_cluster; rm -rf "$cluster"' EXIT
start_cluster "$cluster" || exit 1

"$driver" "$folder/alone" 40 >"$folder/said" 2>&1 || fail "alone"
[ "$(find "$folder/alone/verdicts" -type f | wc -l)" = 40 ] || fail "alone: not 40 results"

# Words with blanks and quotes reach the tasks as they are; no task does another's work.
array="$folder/as an 'array'"
"$driver" "$array" 40 --slurm 3 >"$folder/said" 2>&1 || fail "as a job array"
says "3 of 3 tasks have ended"
diff -r "$folder/alone/verdicts" "$array/verdicts" || fail "the results differ"
for task in 1 2 3; do
    [ "$(cat "$array/slurm/$task.status")" = 0 ] || fail "task $task has no status"
done

# A task that fails is told, with the last words of its log, and the others' results are there.
"$driver" "$folder/failed" 40 --fail-at 7 --slurm 3 >"$folder/said" 2>&1 && fail "a failed task was not noticed"
says "1 of 3 tasks of job [0-9]* failed; task [1-3] ended with status 1"
says "ends with: slurm_driver: number 7 cannot be graded"
[ "$(find "$folder/failed/verdicts" -type f | wc -l)" -ge 20 ] || fail "what the other tasks did is lost"

# What sbatch refuses is told in its words.
SBATCH_PARTITION=nowhere "$driver" "$folder/refused" 10 --slurm 2 >"$folder/said" 2>&1 && fail "a refused job was not noticed"
says "sbatch has refused the job: .*invalid partition"

# A task that is ended from outside is told, too.
"$driver" "$folder/ended" 10 --sleep 60 --slurm 2 >"$folder/said" 2>&1 &
waiting=$!
for _ in $(seq 60); do
    [ "$(squeue -h -r -t running | wc -l)" = 2 ] && break
    sleep 0.5
done
scancel --name kit_class
wait "$waiting" && fail "canceled tasks were not noticed"
says "2 of 2 tasks of job [0-9]* failed; task 1 was ended from outside"

# A class of three with kit_class: alone, as a job array, and in parts by hand. Times differ, and nothing else.
if [ $# -ge 4 ]; then
    root=$3
    kit_class=$4/kit_class
    topic=00_first_kernel
    for student in ada bob cyd; do
        mkdir -p "$folder/class/$student/$topic"
        cp "$root/exercises/$topic/vector_add.cu" "$root/exercises/$topic/grid_stride.cu" "$folder/class/$student/$topic/"
    done
    cp "$root/solutions/$topic/vector_add.cu" "$root/solutions/$topic/grid_stride.cu" "$folder/class/ada/$topic/"
    sed 's/i < n/i <= n/' "$root/solutions/$topic/vector_add.cu" >"$folder/class/bob/$topic/vector_add.cu"
    echo "int broken" >"$folder/class/cyd/$topic/grid_stride.cu"
    options="--only $topic/vector_add,$topic/grid_stride --seed 4711"
    bwrap --ro-bind / / --unshare-all true 2>/dev/null || options="$options --no-sandbox"
    verdicts() { (cd "$1/verdicts" && find . -name '*.json' | sort | while read -r file; do echo "$file" && grep -v '"seconds"' "$file"; done); }
    # shellcheck disable=SC2086
    grade() { "$kit_class" "$folder/class" $options "$@" >"$folder/said" 2>&1; }

    grade --out "$folder/one_run" || fail "kit_class alone"
    verdicts "$folder/one_run" >"$folder/one_run.txt"
    [ "$(grep -c '^[.]/' "$folder/one_run.txt")" = 4 ] || fail "kit_class alone: not 4 verdicts"
    grade --out "$folder/job_array" --slurm 2 || fail "kit_class --slurm"
    verdicts "$folder/job_array" | diff "$folder/one_run.txt" - || fail "kit_class --slurm: other verdicts"
    for shard in 1 2 3; do grade --out "$folder/by_hand" --shard $shard/3 || fail "kit_class --shard"; done
    grade --out "$folder/by_hand" --collect || fail "kit_class --collect"
    verdicts "$folder/by_hand" | diff "$folder/one_run.txt" - || fail "kit_class --shard: other verdicts"
fi
echo "RESULT pass: results as without SLURM, failures told"
