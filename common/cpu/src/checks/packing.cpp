// Packs the cells of four bytes. packing.hpp describes the layout.
#include "packing.hpp"

#include <algorithm>
#include <cstring>

namespace kit::cpu {
namespace {

constexpr unsigned most_records = 4 * 3;

/// Number of bits for packed data: the word's three records, and two of its three work numbers. The third
/// work number applies to all records.
constexpr unsigned room = 3 * 64 + 2 * 10;
using Bits = std::uint64_t[4];

void save(const Bits& bits, Cell& word) {
    std::memcpy(static_cast<void*>(&word), bits, 3 * 8);
    word.read_work = bits[3] & (most_work_ids - 1);
    word.far_work = bits[3] / most_work_ids & (most_work_ids - 1);
}
void load(const Cell& word, Bits& bits) {
    std::memcpy(bits, &word, 3 * 8);
    bits[3] = word.read_work | word.far_work * most_work_ids;
}

/// Writes numbers of less than 64 bits into a row of bits.
class BitWriter {
  public:
    void put(std::uint64_t value, unsigned width) {
        now_ |= value << used_ % 64;
        if (used_ % 64 + width >= 64) {
            if (used_ < 8 * sizeof bits_) bits_[used_ / 64] = now_;
            now_ = value >> 1 >> (63 - used_ % 64);
        }
        used_ += width;
    }

    /// Writes the last word of the row. Returns false if the numbers did not fit.
    bool finish() {
        if (used_ < 8 * sizeof bits_) bits_[used_ / 64] = now_;
        return used_ <= room;
    }
    const Bits& bits() const { return bits_; }

  private:
    Bits bits_ = {};
    std::uint64_t now_ = 0;
    unsigned used_ = 0;
};

/// Reads numbers of at most 32 bits from a row of bits.
class BitReader {
  public:
    explicit BitReader(const Cell& word) {
        Bits bits;
        load(word, bits);
        std::memcpy(bytes_, bits, sizeof bits);
    }

    std::uint64_t get(unsigned width) {
        std::uint64_t next;
        std::memcpy(&next, bytes_ + used_ / 8, sizeof next);
        next >>= used_ % 8;
        used_ += width;
        return next & ((std::uint64_t{1} << width) - 1);
    }

  private:
    unsigned char bytes_[sizeof(Bits) + sizeof(std::uint64_t)] = {};
    unsigned used_ = 0;
};

unsigned bits_for(std::uint64_t largest) {
    return largest ? 64 - static_cast<unsigned>(__builtin_clzll(largest)) : 0;
}

/// A field of a Record, as a number of 64 bits. In most cases it equals the same field of the previous
/// record, or differs by a small number, which is written in `few` bits.
struct Field {
    unsigned begin, few, bits;

    std::uint64_t mask() const { return (std::uint64_t{1} << bits) - 1; }
    std::uint64_t of(std::uint64_t record) const { return record >> begin & mask(); }
    void set(std::uint64_t& record, std::uint64_t value) const {
        record = (record & ~(mask() << begin)) | (value & mask()) << begin;
    }
    std::uint64_t half() const { return std::uint64_t{1} << few >> 1; }
};
constexpr Field kind{1, 4, 4}, block{5, 7, 20}, rank{25, 4, 10}, clock{35, 4, 16}, site{51, 4, 13};
constexpr Field work = rank;  ///< the work number is stored in the bits of the rank
constexpr Field others[] = {clock, block, work, kind};

void put(BitWriter& to, Field field, std::uint64_t now, std::uint64_t before) {
    const std::uint64_t value = field.of(now);
    const std::uint64_t change = (value - field.of(before) + field.half()) & field.mask();
    const bool small = change >> field.few == 0;
    if (value == field.of(before))
        to.put(0, 1);
    else
        to.put(1 | small << 1 | (small ? change : value) << 2, 2 + (small ? field.few : field.bits));
}
void get(BitReader& from, Field field, std::uint64_t& record) {
    if (!from.get(1)) return;
    if (from.get(1))
        field.set(record, field.of(record) + from.get(field.few) - field.half());
    else
        field.set(record, from.get(field.bits));
}

std::uint64_t number_of(const Record& record) {
    std::uint64_t number;
    std::memcpy(&number, &record, sizeof number);
    return number;
}
Record record_of(std::uint64_t number) {
    Record record;
    std::memcpy(&record, &number, sizeof record);
    return record;
}

/// The common part of records that differ only in their ranks, and the smallest of these ranks. In this
/// record, the work number replaces the rank.
struct Who {
    std::uint64_t record, least;
};

/// Returns the value from which the first record's differences are written.
Who first_baseline(const Cell& word) {
    Record plain{};
    plain.valid = 1;
    plain.scope = static_cast<unsigned>(Scope::device);
    plain.rank = word.write_work;
    return {number_of(plain), 0};
}

/// Writes the differences between two values. The site comes first, because it is often the only difference.
void put(BitWriter& to, const Who& now, Who before) {
    put(to, site, now.record, before.record);
    site.set(before.record, site.of(now.record));
    to.put(now.record != before.record, 1);
    for (const Field& field : others)
        if (now.record != before.record) put(to, field, now.record, before.record);
    put(to, rank, now.least, before.least);
}
void get(BitReader& from, Who& who) {
    get(from, site, who.record);
    if (from.get(1))
        for (const Field& field : others) get(from, field, who.record);
    get(from, rank, who.least);
}

}  // namespace

bool pack(const Cell (&bytes)[4], Cell& word) {
    Who who[most_records];
    std::uint64_t ranks[most_records];
    unsigned number[most_records], differ = 0, records = 0, valid = 0;
    const auto add = [&](unsigned slot, const Record& record, WorkId made_by) {
        if (!record.valid) return;
        valid |= 1u << slot;
        Who& now = who[differ] = {number_of(record), number_of(record) & rank.mask() << rank.begin};
        ranks[records] = now.least;
        work.set(now.record, made_by);
        unsigned i = 0;
        while (who[i].record != now.record) ++i;
        who[i].least = std::min(who[i].least, now.least);
        differ += i == differ;
        number[records++] = i;
    };
    for (unsigned i = 0; i < 4; ++i) {
        add(i * 3, bytes[i].write, bytes[i].write_work);
        add(i * 3 + 1, bytes[i].read, bytes[i].read_work);
        add(i * 3 + 2, bytes[i].far_read, bytes[i].far_work);
    }
    BitWriter to;
    to.put(valid | differ << most_records, most_records + 4);
    for (unsigned i = 0; i < differ; ++i) put(to, who[i], i ? who[i - 1] : first_baseline(word));
    std::uint64_t widest = 0;
    for (unsigned i = 0; i < records; ++i) {
        ranks[i] = (ranks[i] - who[number[i]].least) >> rank.begin;
        widest |= ranks[i];
    }
    const unsigned number_bits = bits_for(differ - (differ > 0)), rank_bits = bits_for(widest);
    to.put(rank_bits, 4);
    for (unsigned i = 0; i < records; ++i)
        to.put(number[i] | ranks[i] << number_bits, number_bits + rank_bits);
    if (!to.finish()) return false;
    save(to.bits(), word);
    return true;
}

void unpack(const Cell& word, Cell (&bytes)[4]) {
    BitReader from(word);
    const auto valid = static_cast<unsigned>(from.get(most_records));
    const auto differ = static_cast<unsigned>(from.get(4));
    Who who[most_records];
    for (unsigned i = 0; i < differ; ++i) {
        who[i] = i ? who[i - 1] : first_baseline(word);
        get(from, who[i]);
    }
    const unsigned number_bits = bits_for(differ - (differ > 0));
    const auto rank_bits = static_cast<unsigned>(from.get(4));
    unsigned slot = 0;
    const auto take = [&](Record& record, WorkId& made_by) {
        if (!(valid >> slot++ & 1)) return;
        const Who& who_made = who[from.get(number_bits)];
        std::uint64_t number = who_made.record;
        made_by = static_cast<WorkId>(work.of(number));
        rank.set(number, rank.of(who_made.least) + from.get(rank_bits));
        record = record_of(number);
    };
    for (Cell& cell : bytes) {
        Record write{}, read{}, far_read{};
        WorkId ids[] = {word.write_work, word.write_work, word.write_work};
        take(write, ids[0]);
        take(read, ids[1]);
        take(far_read, ids[2]);
        cell = {write, read, far_read, ids[0], ids[1], ids[2], 0};
    }
}

}  // namespace kit::cpu
