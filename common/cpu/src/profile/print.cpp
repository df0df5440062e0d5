// Turns counts and queued work into facts, and prints the sentences about them.
#include "print.hpp"

#include <words/profile.hpp>

#include "source/findings.hpp"
#include "source/source_lines.hpp"

namespace kit::cpu {
namespace {

int line_number(Place place) {
    const int line = look_up(place).line;
    return line > 0 ? line : 0;
}

facts::Piece::Kind kind_of(WorkKind kind) {
    switch (kind) {
        case WorkKind::kernel:
            return facts::Piece::Kind::kernel;
        case WorkKind::copy_in:
            return facts::Piece::Kind::copy_in;
        case WorkKind::copy_out:
            return facts::Piece::Kind::copy_out;
        case WorkKind::copy:
            return facts::Piece::Kind::copy;
        case WorkKind::fill:
            return facts::Piece::Kind::fill;
        case WorkKind::host_function:
            return facts::Piece::Kind::host_function;
        default:
            return facts::Piece::Kind::other;
    }
}

facts::Piece::Because reason_of(CameAfter::Because because) {
    switch (because) {
        case CameAfter::Because::default_stream:
            return facts::Piece::Because::default_stream;
        case CameAfter::Because::host:
            return facts::Piece::Because::host;
        case CameAfter::Because::graph:
            return facts::Piece::Because::graph;
        case CameAfter::Because::event:
            break;
    }
    return facts::Piece::Because::event;
}

}  // namespace

facts::Requests requests_of(const LineCounts& line, RequestKind kind) {
    const RequestCounts& counts = line.of(kind);
    facts::Requests requests;
    requests.kind = static_cast<facts::Requests::Kind>(kind);
    requests.count = counts.requests;
    requests.lanes = counts.lanes_per_request();
    requests.units = counts.per_request();
    requests.ideal = counts.ideal_per_request();
    requests.is_ideal = counts.units <= counts.ideal;
    requests.stride = counts.stride;
    requests.bytes = counts.bytes;
    return requests;
}

facts::Piece piece_of(const QueuedPiece& piece) {
    facts::Piece told;
    told.kind = kind_of(piece.label.kind);
    told.what = piece.label.what;
    told.pageable = piece.label.pageable;
    told.stream = piece.label.stream;
    told.line = line_number(piece.label.place);
    told.row = piece.row;
    told.step = piece.step;
    for (const CameAfter& after : piece.after)
        told.after.push_back({after.piece, reason_of(after.because), line_number(after.place)});
    return told;
}

std::string cost_in_words(const LineCounts& line, RequestKind kind) {
    return words::cost_of(requests_of(line, kind));
}

std::string in_words(const std::vector<KernelProfile>& profile) {
    std::vector<facts::ProfiledKernel> kernels;
    for (const KernelProfile& kernel : profile) {
        facts::ProfiledKernel& told = kernels.emplace_back();
        told.name = kernel.kernel;
        told.launches = kernel.launches, told.blocks = kernel.blocks, told.threads = kernel.threads;
        for (const LineCounts& line : kernel.lines) {
            facts::ProfiledLine& one = told.lines.emplace_back();
            one.line = line_of(line.place);
            for (std::size_t i = 0; i < request_kinds; ++i)
                if (line.requests[i].requests)
                    one.requests.push_back(requests_of(line, static_cast<RequestKind>(i)));
            one.repeated = line.repeated, one.addresses = line.addresses;
            one.divergent = line.divergent, one.barriers = line.barriers;
            one.products = line.products, one.multiplications = line.multiplications;
        }
    }
    return words::table_of(kernels);
}

std::string in_words(const std::vector<QueuedPiece>& timeline, std::size_t width) {
    std::vector<facts::Piece> pieces;
    for (const QueuedPiece& piece : timeline) pieces.push_back(piece_of(piece));
    return words::drawing_of(pieces, width);
}

std::string line_in_words(Place place) {
    return words::line_name(line_number(place));
}

}  // namespace kit::cpu
