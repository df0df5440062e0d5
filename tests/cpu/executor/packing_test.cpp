// Tests of packed words: unpacking returns the original cells, and the states that kernels commonly leave can
// be packed.
#include "checks/packing.hpp"

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>

using namespace kit::cpu;

namespace {

int failures = 0;
int checks = 0;

void check(bool holds, const std::string& what) {
    ++checks;
    if (holds) return;
    ++failures;
    std::printf("FAIL  %s\n", what.c_str());
}

/// The number of the kernel whose access has split the word into bytes.
constexpr WorkId current = 77;

Record made(unsigned block, unsigned rank, unsigned clock, unsigned site, bool write) {
    Record record{};
    record.valid = 1;
    record.write = write;
    record.scope = static_cast<unsigned>(Scope::device);
    record.block = block & (most_blocks - 1);
    record.rank = rank & 1023;
    record.clock = clock & most_clock;
    record.site = site & (most_sites - 1);
    return record;
}

bool same(const Record& a, const Record& b) {
    return a.valid == b.valid &&
           (!a.valid || (a.write == b.write && a.atomic == b.atomic && a.scope == b.scope &&
                         a.block == b.block && a.rank == b.rank && a.clock == b.clock && a.site == b.site));
}

bool same(const Record& a, WorkId work_of_a, const Record& b, WorkId work_of_b) {
    return same(a, b) && (!a.valid || work_of_a == work_of_b);
}

bool same(const Cell& a, const Cell& b) {
    return same(a.write, a.write_work, b.write, b.write_work) &&
           same(a.read, a.read_work, b.read, b.read_work) &&
           same(a.far_read, a.far_work, b.far_read, b.far_work);
}

Cell word_of_bytes() {
    Cell word{};
    word.give_to(current);
    word.set(State::unpacked);
    return word;
}

/// Packs and unpacks the bytes, and checks that nothing is lost. Returns whether the bytes could be packed.
bool goes_round(const Cell (&bytes)[4], const std::string& what) {
    Cell word = word_of_bytes();
    word.write = made(1, 2, 3, 4, true);
    const Cell before = word;
    const bool fits = pack(bytes, word);
    check(word.only(current) && word.state() == State::unpacked,
          what + ": owner or state of the word has changed");
    if (!fits) {
        check(same(word, before), what + ": does not fit, and has changed the word");
        return false;
    }
    Cell back[4];
    std::fill(back, back + 4, before);
    unpack(word, back);
    for (unsigned i = 0; i < 4; ++i) {
        check(same(bytes[i], back[i]), what + ": byte " + std::to_string(i) + " comes back changed");
        check(back[i].state() == State::whole, what + ": the cell of a byte has a state");
    }
    return true;
}

template <class Make>
void fits(const std::string& what, Make make) {
    Cell bytes[4];
    for (unsigned i = 0; i < 4; ++i) {
        bytes[i] = Cell{};
        bytes[i].give_to(current);
        make(bytes[i], i);
    }
    check(goes_round(bytes, what), what + ": does not fit");
}

void common_words() {
    fits("nobody", [](Cell&, unsigned) {});
    fits("one thread wrote all", [](Cell& byte, unsigned) { byte.write = made(3, 5, 2, 100, true); });
    fits("a thread per byte", [](Cell& byte, unsigned i) { byte.write = made(900, 400 + i, 2, 300, true); });
    fits("threads from everywhere in the block",
         [](Cell& byte, unsigned i) { byte.write = made(900, i * 341, 2, 300, true); });
    fits("a block per byte",
         [](Cell& byte, unsigned i) { byte.read = made((1u << 19) + i, 0, 1, 8000, false); });
    fits("an instruction per byte",
         [](Cell& byte, unsigned i) { byte.read = made(7, 31, 1, 8000 + i, false); });
    fits("one byte of four", [](Cell& byte, unsigned i) {
        if (i == 2) byte.write = made(most_blocks - 1, 1023, most_clock, most_sites - 1, true);
    });
    fits("written, and read after a barrier by any thread", [](Cell& byte, unsigned i) {
        byte.write = made(500, 100 + i, 1, 40, true);
        byte.read = made(500, 1023 - 300 * i, 2, 41, false);
    });
    fits("three readers, the outer ones are kept", [](Cell& byte, unsigned i) {
        byte.read = made(500, 99 + i, 1, 40, false);
        byte.far_read = made(500, 101 + i, 1, 42, false);
    });
    fits("read by neighbours in any order", [](Cell& byte, unsigned i) {
        byte.read = made(500, 99 + (i * 7 + 1) % 3 + i, 1, 40 + (i * 7 + 1) % 3, false);
        byte.far_read = made(500, 99 + (i * 5) % 3 + i, 1, 40 + (i * 5) % 3, false);
    });
    fits("written by one kernel, read by another one in a second stream", [](Cell& byte, unsigned i) {
        byte.write = made(40, 20 + i, 1, 40, true);
        byte.write_work = current - 1;
        byte.read = made(40, 20 + i, 1, 41, false);
    });
    fits("the same, and three readers at the border of two blocks", [](Cell& byte, unsigned i) {
        byte.write = made(3000, 252 + i, 1, 500, true);
        byte.write_work = current - 1;
        byte.read = made(3000, 251 + i, 1, 503, false);
        byte.far_read = made(3000 + i / 3, i == 3 ? 0 : 253 + i, 1, i == 3 ? 501 : 502, false);
    });
    fits("read across the corner of four blocks", [](Cell& byte, unsigned i) {
        byte.read = made(3000 + i / 2, i < 2 ? 254 + i : 224, 1, 500, false);
        byte.far_read = made(3032 + i / 2, i < 2 ? 30 + i : 0, 1, 500, false);
    });
    fits("counted by atomics of the block", [](Cell& byte, unsigned i) {
        byte.write = made(40, 20 + i, 3, 40, true);
        byte.write.atomic = 1;
        byte.write.scope = static_cast<unsigned>(Scope::block);
    });
}

/// Tests random words. Each field has only a few values, so that most words can be packed.
void random_words() {
    std::mt19937 random(1);
    int packed = 0, refused = 0;
    for (int round = 0; round < 200000; ++round) {
        const unsigned variety = 1 + random() % 12;
        const auto any = [&](unsigned limit) {
            return variety == 12 ? random() % limit : (random() % variety) * (limit / 13) % limit;
        };
        const unsigned share = 1 + random() % 4;
        const auto maybe = [&] {
            if (random() % 4 >= share) return Record{};
            Record record = made(any(most_blocks), any(1024), any(most_clock), any(most_sites), random() % 2);
            record.atomic = random() % 2;
            record.scope = random() % 3;
            return record;
        };
        Cell bytes[4];
        for (Cell& byte : bytes) {
            byte = Cell{};
            byte.write = maybe();
            byte.read = maybe();
            byte.far_read = maybe();
            byte.write_work = any(most_work_ids);
            byte.read_work = any(most_work_ids);
            byte.far_work = any(most_work_ids);
        }
        ++(goes_round(bytes, "a random word") ? packed : refused);
    }
    check(packed > 10000 && refused > 10000, "random words: too few fit, or too few do not");
    std::printf("random words: %d packed, %d do not fit\n", packed, refused);
}

}  // namespace

int main() {
    common_words();
    random_words();
    std::printf("%d of %d checks failed\n", failures, checks);
    return failures == 0 && checks > 0 ? 0 : 1;
}
