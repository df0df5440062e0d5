#!/bin/sh
# A SLURM cluster of one machine, this one: munged, slurmctld and slurmd of the distribution, with a configuration, a key and
# ports of their own. To be sourced; then
#     start_cluster FOLDER    returns when the node is idle; FOLDER then has the configuration and the logs. Exit 77, with a
#                             sentence, where a package or a right is missing.
#     stop_cluster            ends what was started, and nothing else.
# SLURM_CONF is exported, so that sbatch and its kin find this cluster.

skip() {
    echo "skipped: $1"
    echo "RESULT skip"
    exit 77
}

stop_cluster() {
    for daemon in slurmd slurmctld munged; do
        file=$cluster/$daemon.pid
        [ -s "$file" ] || continue
        kill "$(cat "$file")" 2>/dev/null
    done
    sleep 1
    for daemon in slurmd slurmctld munged; do
        file=$cluster/$daemon.pid
        [ -s "$file" ] && kill -9 "$(cat "$file")" 2>/dev/null
    done
    return 0
}

# Two ports that nobody uses, from a place that depends on this process.
free_ports() {
    port=$((20000 + $$ % 20000))
    while grep -qi ":$(printf %04x "$port") \|:$(printf %04x $((port + 1))) " /proc/net/tcp /proc/net/tcp6 2>/dev/null; do
        port=$((port + 2))
    done
}

start_cluster() {
    cluster=$1
    PATH=$PATH:/usr/sbin:/sbin
    for program in munged slurmctld slurmd sbatch; do
        command -v "$program" >/dev/null || skip "$program is not installed: apt-get install slurm-wlm munge"
    done
    [ "$(id -u)" = 0 ] || skip "a SLURM cluster for a test is started by root only"
    mkdir -p "$cluster/state" "$cluster/spool"
    chmod 755 "$cluster"
    dd if=/dev/urandom of="$cluster/munge.key" bs=1024 count=1 2>/dev/null
    chmod 400 "$cluster/munge.key"
    free_ports
    host=$(hostname -s)
    cat >"$cluster/slurm.conf" <<CONF
ClusterName=kit
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/munge.socket
CredType=cred/munge
CryptoType=crypto/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1
MpiDefault=none
ReturnToService=2
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/slurmd.log
MinJobAge=300
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=600 State=UP
CONF
    export SLURM_CONF="$cluster/slurm.conf"
    munged --force --socket="$cluster/munge.socket" --key-file="$cluster/munge.key" --pid-file="$cluster/munged.pid" \
        --log-file="$cluster/munged.log" --seed-file="$cluster/munge.seed" >"$cluster/munged.said" 2>&1 ||
        { cat "$cluster/munged.said"; skip "munged does not start here"; }
    slurmctld -c -f "$SLURM_CONF" >"$cluster/slurmctld.said" 2>&1 ||
        { cat "$cluster/slurmctld.said"; stop_cluster; skip "slurmctld does not start here"; }
    slurmd -f "$SLURM_CONF" -N "$host" >"$cluster/slurmd.said" 2>&1 ||
        { cat "$cluster/slurmd.said"; stop_cluster; skip "slurmd does not start here"; }
    for _ in $(seq 60); do
        sinfo -h -o %T 2>/dev/null | grep -q '^idle$' && return 0
        sleep 0.5
    done
    echo "the node does not become idle:"
    sinfo
    tail -n 5 "$cluster"/*.log
    stop_cluster
    return 1
}
