// Simulates an all-reduce on machines that we do not have: which of ring, tree and hierarchical sums is fastest at which size? For the demo.
// Runs on the host alone, and its numbers are the same on every machine.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "demo.hpp"

namespace multi_gpu_demo {

/// A kind of link: a message of b bytes takes latency_us + b / (1000 gb_per_s) microseconds.
struct Link {
    double latency_us, gb_per_s;
};

/// Hosts with GPUs. Inside a host, a switch connects all GPUs. Between hosts, each GPU has its own port.
struct Cluster {
    int hosts, gpus;  ///< gpus: of each host
    Link inside, between;

    int ranks() const { return hosts * gpus; }
    bool same_host(int a, int b) const { return a / gpus == b / gpus; }
};

/// Times of messages. A port sends one message at a time, and it receives one at a time. The latencies of messages overlap.
class Network {
  public:
    explicit Network(const Cluster& cluster)
        : cluster_(cluster), ports_(static_cast<std::size_t>(cluster.ranks())) {}

    /// Sends a message that is ready at this time, and returns when it has arrived.
    double send(int from, int to, double bytes, double ready) {
        const bool inside = cluster_.same_host(from, to);
        const Link& link = inside ? cluster_.inside : cluster_.between;
        double& out = ports_[static_cast<std::size_t>(from)].out[inside];
        double& in = ports_[static_cast<std::size_t>(to)].in[inside];
        const double begin = std::max({ready, out, in});
        out = in = begin + bytes / (1000 * link.gb_per_s);
        return out + link.latency_us;
    }

  private:
    struct Ports {
        std::array<double, 2> out{}, in{};
    };
    const Cluster& cluster_;
    std::vector<Ports> ports_;
};

/// Times at which the ranks of a group are ready, and their numbers in the cluster.
struct Group {
    std::vector<int> ranks;
    std::vector<double> ready;
};

/// Sends a chunk from each rank of the group to the next one, `steps` times.
inline void go_round(Network& network, Group& group, int steps, double bytes) {
    const std::size_t n = group.ranks.size();
    for (int step = 0; step < steps; ++step) {
        std::vector<double> next(n);
        for (std::size_t i = 0; i < n; ++i)
            next[(i + 1) % n] = network.send(group.ranks[i], group.ranks[(i + 1) % n], bytes, group.ready[i]);
        for (std::size_t i = 0; i < n; ++i) group.ready[i] = std::max(group.ready[i], next[i]);
    }
}

inline double latest(const std::vector<double>& times) {
    return *std::max_element(times.begin(), times.end());
}

/// Rings through all ranks. Ring k enters and leaves each host at GPU k, so with several rings more ports between hosts are busy.
inline double ring_us(const Cluster& cluster, double bytes, int rings) {
    Network network(cluster);
    const int n = cluster.ranks();
    std::vector<Group> groups;
    for (int ring = 0; ring < rings; ++ring) {
        Group group;
        for (int host = 0; host < cluster.hosts; ++host)
            for (int i = 1; i <= cluster.gpus; ++i)
                group.ranks.push_back(host * cluster.gpus + (ring + i) % cluster.gpus);
        group.ready.assign(group.ranks.size(), 0.0);
        groups.push_back(std::move(group));
    }
    for (int step = 0; step < 2 * (n - 1); ++step)
        for (Group& group : groups) go_round(network, group, 1, bytes / rings / n);
    double end = 0;
    for (const Group& group : groups) end = std::max(end, latest(group.ready));
    return end;
}

/// A binary tree of the hosts' first GPUs, each of which is the root of a binary tree in its host: sums go up and come down, in chunks.
inline double tree_us(const Cluster& cluster, double bytes, int chunks) {
    Network network(cluster);
    const auto parent = [&](int rank) {
        const int host = rank / cluster.gpus, gpu = rank % cluster.gpus;
        if (gpu > 0) return host * cluster.gpus + (gpu - 1) / 2;
        return host > 0 ? (host - 1) / 2 * cluster.gpus : -1;
    };
    const auto n = static_cast<std::size_t>(cluster.ranks());
    std::vector<double> sums;  // times at which the root has the sum of a chunk
    for (int chunk = 0; chunk < chunks; ++chunk) {
        std::vector<double> ready(n, 0.0);
        for (int rank = cluster.ranks() - 1; rank > 0;
             --rank) {  // a child has a larger number than its parent
            double& above = ready[static_cast<std::size_t>(parent(rank))];
            above = std::max(above, network.send(rank, parent(rank), bytes / chunks,
                                                 ready[static_cast<std::size_t>(rank)]));
        }
        sums.push_back(ready[0]);
    }
    double end = 0;
    for (const double sum : sums) {
        std::vector<double> ready(n, sum);
        for (int rank = 1; rank < cluster.ranks(); ++rank)
            ready[static_cast<std::size_t>(rank)] = network.send(
                parent(rank), rank, bytes / chunks, ready[static_cast<std::size_t>(parent(rank))]);
        end = std::max(end, latest(ready));
    }
    return end;
}

/// The tree with the best number of chunks.
inline double best_tree_us(const Cluster& cluster, double bytes) {
    double best = std::numeric_limits<double>::max();
    for (int chunks = 1; chunks <= 1024; chunks *= 2) best = std::min(best, tree_us(cluster, bytes, chunks));
    return best;
}

/// In each host, a reduce-scatter. Then each GPU sums its piece with the same GPU of all hosts, and each host gathers the pieces.
inline double hierarchical_us(const Cluster& cluster, double bytes) {
    Network network(cluster);
    const double piece = bytes / cluster.gpus;
    std::vector<double> ready(static_cast<std::size_t>(cluster.ranks()), 0.0);
    const auto in_rings = [&](int count, auto rank_of, int size, int steps, double chunk) {
        std::vector<Group> groups;
        for (int number = 0; number < count; ++number) {
            Group group;
            for (int i = 0; i < size; ++i) {
                group.ranks.push_back(rank_of(number, i));
                group.ready.push_back(ready[static_cast<std::size_t>(group.ranks.back())]);
            }
            groups.push_back(std::move(group));
        }
        for (Group& group : groups) {
            go_round(network, group, steps, chunk);
            for (std::size_t i = 0; i < group.ranks.size(); ++i)
                ready[static_cast<std::size_t>(group.ranks[i])] = group.ready[i];
        }
    };
    const auto of_host = [&](int host, int gpu) { return host * cluster.gpus + gpu; };
    const auto of_gpu = [&](int gpu, int host) { return host * cluster.gpus + gpu; };
    in_rings(cluster.hosts, of_host, cluster.gpus, cluster.gpus - 1, piece);
    in_rings(cluster.gpus, of_gpu, cluster.hosts, 2 * (cluster.hosts - 1), piece / cluster.hosts);
    in_rings(cluster.hosts, of_host, cluster.gpus, cluster.gpus - 1, piece);
    return latest(ready);
}

/// Prints the simulated times. The link inside a host has the numbers that were measured on two H100: half of a put with its answer, and
/// the rate of NCCL's largest sum. The link between hosts is an assumption: 400 Gbit/s for each GPU, and 5 us.
inline void model(kit::demo::Demo& demo) {
    const Link inside = {1.5, 331}, between = {5, 50};
    for (const int hosts : {1, 8}) {
        const Cluster cluster = {hosts, 8, inside, between};
        const std::string ranks = std::to_string(cluster.ranks());
        demo.table("model_" + ranks,
                   "simulated: the sum on " + ranks + " GPUs, " +
                       (hosts == 1 ? "one host" : std::to_string(hosts) + " hosts of 8") +
                       ", microseconds without the launch",
                   {"bytes", 11},
                   {{"one_ring", 1, 10}, {"eight_rings", 1, 11}, {"tree", 1, 10}, {"hierarchical", 1, 12}});
        for (int power = 10; power <= 30; power += 4) {
            const double bytes = static_cast<double>(1LL << power);
            demo.row("b" + std::to_string(power), std::to_string(1LL << power),
                     {ring_us(cluster, bytes, 1), ring_us(cluster, bytes, 8), best_tree_us(cluster, bytes),
                      hierarchical_us(cluster, bytes)});
        }
    }
}

}  // namespace multi_gpu_demo
