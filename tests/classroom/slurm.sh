#!/usr/bin/env bash
# Grades a class of three in parallel with common/classroom/slurm.sh, and compares the verdicts with those of one process. A script named
# sbatch replaces SLURM: it runs the tasks of the array at the same time, as sbatch --wait does, and returns their highest status.
#
#   tests/classroom/slurm.sh BUILD_FOLDER WORK_FOLDER
set -euo pipefail
build=$(realpath "${1:?BUILD_FOLDER}") work=${2:?WORK_FOLDER}
root=$(realpath "$(dirname "$0")/../..")
trouble=$("$build/kit_class" --check) || { echo "RESULT skip: $trouble"; exit 77; }
rm -rf "$work" && mkdir -p "$work/bin" "$work"/class/{ada,bob,"cyd 'c'"}/00_first_kernel
cd "$work"
topic=00_first_kernel
cp "$root/solutions/$topic"/{vector_add,grid_stride}.cu class/ada/$topic
sed 's/i < n/i <= n/' "$root/solutions/$topic/vector_add.cu" >class/bob/$topic/vector_add.cu
echo "int broken" >"class/cyd 'c'/$topic/grid_stride.cu"

cat >bin/sbatch <<'SBATCH'
#!/usr/bin/env bash
[ "${SBATCH_PARTITION:-}" != nowhere ] || { echo "sbatch: error: invalid partition specified: nowhere" >&2; exit 1; }
echo "$*" >>sbatch.said
while [[ $1 == --* ]]; do
    [[ $1 != --array=1-* ]] || tasks=${1#--array=1-}
    [[ $1 != --cpus-per-task=* ]] || cpus=${1#*=}
    shift
done
for task in $(seq "$tasks"); do
    SLURM_ARRAY_TASK_ID=$task SLURM_CPUS_PER_TASK=$cpus "$@" >"slurm-1_$task.out" 2>&1 &
    running+=($!)
done
highest=0
for one in "${running[@]}"; do wait "$one" || highest=$?; done
exit "$highest"
SBATCH
chmod +x bin/sbatch
PATH=$work/bin:$PATH

fail() { echo "RESULT fail: $1"; tail -n 5 said slurm-*.out 2>/dev/null; exit 1; }
options=(--only "$topic/vector_add,$topic/grid_stride" --seed 4711)
# Only times, and the folder of the results, may differ.
verdicts() { (cd "$1/verdicts" && find . -name '*.json' | sort | xargs grep -H . | sed "s/\"seconds\":[^,}]*//g; s#/$1/#/#g"); }

"$build/kit_class" class "${options[@]}" --out one_run >said 2>&1 || fail "one run"
verdicts one_run >expected
[ "$(cut -d: -f1 expected | uniq | wc -l)" -eq 4 ] || fail "one run: there must be 4 verdicts"

"$root/common/classroom/slurm.sh" 4 "$build/kit_class" class "${options[@]}" --out job_array >said 2>&1 || fail "slurm.sh"
verdicts job_array | diff expected - || fail "slurm.sh: other verdicts"
diff one_run/class.csv job_array/class.csv || fail "slurm.sh: another table"
[ "$(cat slurm-1_*.out | grep -cE '^[0-9]+ of [0-9]+ graded')" -eq 4 ] || fail "slurm.sh: two tasks have graded the same text"

SBATCH_PARTITION=nowhere "$root/common/classroom/slurm.sh" 2 "$build/kit_class" class "${options[@]}" --out refused >said 2>&1 &&
    fail "slurm.sh has not noticed that sbatch refused"
grep -q "invalid partition" said && grep -q "not all tasks have finished" said || fail "slurm.sh does not say that sbatch refused"
"$root/common/classroom/slurm.sh" 2 "$build/kit_class" nobody >said 2>&1 && fail "slurm.sh has not noticed a wrong command line"
grep -q "there is no folder nobody" said || fail "slurm.sh does not say what is wrong with the command line"
[ "$(wc -l <sbatch.said)" -eq 1 ] || fail "slurm.sh has submitted a wrong command line"
echo "RESULT pass: the verdicts of a job array are those of one run"
