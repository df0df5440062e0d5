#!/bin/sh
# Grades a class as a SLURM job array. The checkout and the class must be in a file system that all machines of the cluster share.
#
#     common/classroom/slurm.sh TASKS build/course/kit_class CLASS [option...]
#
# For other settings of the cluster, sbatch reads its own variables, such as SBATCH_ACCOUNT, SBATCH_PARTITION and SBATCH_TIMELIMIT.
set -eu
tasks=${1:?TASKS} kit_class=${2:?KIT_CLASS}
shift 2

if [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then  # SLURM runs this script for each task
    exec "$kit_class" --jobs "$SLURM_CPUS_PER_TASK" "$@" --shard "$SLURM_ARRAY_TASK_ID/$tasks"
fi

# All tasks read the files and the seed that this call writes. Its status is 1, because nothing has been graded yet.
said=$("$kit_class" "$@" --collect 2>&1) || [ $? -eq 1 ] || { echo "$said" >&2; exit 2; }
sbatch --wait --job-name=kit_class --array="1-$tasks" --cpus-per-task=2 --mem=10G --time="${SBATCH_TIMELIMIT:-120}" \
    "$0" "$tasks" "$kit_class" "$@" || {
    echo "slurm.sh: not all tasks have finished. slurm-JOB_TASK.out says why; the same command grades what is missing." >&2
    exit 1
}
exec "$kit_class" "$@" --collect
