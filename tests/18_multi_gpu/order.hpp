// Records which queued work comes after which, so that a race can name the missing wait or event. Only the executor records it.
#pragma once

#include "18_multi_gpu/devices.hpp"

#ifdef KIT_CPU
#include <map>
#include <memory>
#include <optional>

namespace multi_gpu_test {

/// The work that a function has queued, and its order.
class QueuedOrder {
  public:
    using Kind = kit::cpu::WorkKind;
    using Pieces = std::vector<std::size_t>;  ///< indices of pieces, in the order in which they were queued

    /// Calls the function and records its work. Then one stream per event waits for that event, which shows what the event marks.
    template <class Function>
    void note(kit::Case& test, const std::vector<cudaStream_t>& streams,
              const std::vector<cudaEvent_t>& events, Function function) {
        for (const cudaStream_t stream : streams) {
            kit::cpu::begin_timeline();
            test.cuda(cudaLaunchHostFunc(stream, nothing, nullptr));
            const auto one = kit::cpu::take_timeline();
            numbers_.push_back(one.empty() ? unknown : one[0].label.stream);
        }
        kit::cpu::begin_timeline();
        function();
        for (const cudaEvent_t event : events) {
            waiting_.push_back(std::make_unique<Stream>(0));
            test.cuda(cudaStreamWaitEvent(*waiting_.back(), event, 0));
            test.cuda(cudaLaunchHostFunc(*waiting_.back(), nothing, nullptr));
        }
        pieces_ = kit::cpu::take_timeline();
        queued_ = pieces_.size() < events.size() ? 0 : pieces_.size() - events.size();
        find_earlier();
    }

    /// Returns the pieces of this kind in the stream with this index in `streams`.
    Pieces of(std::size_t stream, Kind kind) const {
        Pieces found;
        for (std::size_t i = 0; i < queued_; ++i)
            if (pieces_[i].label.stream == numbers_[stream] && pieces_[i].label.kind == kind)
                found.push_back(i);
        return found;
    }
    bool comes_after(std::size_t later, std::size_t earlier) const {
        return later > earlier && earlier_[later][earlier];
    }
    /// Returns whether the event with this index in `events` has been recorded after this piece.
    bool marks(std::size_t event, std::size_t piece) const { return comes_after(queued_ + event, piece); }

    bool marks_any(std::size_t event) const {
        for (std::size_t piece = 0; piece < queued_; ++piece)
            if (marks(event, piece)) return true;
        return false;
    }

    /// Returns the failure of the demand `counted` if a kernel was launched into a stream whose device was not current.
    std::optional<kit::facts::Failure> launched_elsewhere(const std::string& counted) const {
        for (std::size_t i = 0; i < queued_; ++i) {
            const kit::cpu::WorkLabel& label = pieces_[i].label;
            if (label.on_current_device) continue;
            kit::facts::Failure failure = kit::detail::failure_of(
                kit::Diagnosis::wrong_value,
                "`" + label.what +
                    "` is launched while the device of its stream is not current: call cudaSetDevice() "
                    "before the launch, because "
                    "the programming guide requires it, although current drivers launch the kernel anyway");
            failure.at = {label.place.file, label.place.line, ""};
            failure.count.name = counted;
            return failure;
        }
        return {};
    }

  private:
    static constexpr int unknown = -7;
    static void CUDART_CB nothing(void*) {}

    void find_earlier() {
        std::map<std::uint64_t, std::size_t> last;  // last piece of each row
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            std::vector<bool> earlier(i);
            const auto add = [&](std::size_t piece) {
                earlier[piece] = true;
                for (std::size_t k = 0; k < piece; ++k) earlier[k] = earlier[k] || earlier_[piece][k];
            };
            if (const auto before = last.find(pieces_[i].row); before != last.end()) add(before->second);
            for (const kit::cpu::CameAfter& one : pieces_[i].after) add(one.piece);
            earlier_.push_back(earlier);
            last[pieces_[i].row] = i;
        }
    }

    std::vector<int> numbers_;
    std::vector<std::unique_ptr<Stream>> waiting_;
    std::vector<kit::cpu::QueuedPiece> pieces_;
    std::size_t queued_ = 0;  ///< number of pieces that the function has queued
    std::vector<std::vector<bool>> earlier_;
};

}  // namespace multi_gpu_test
#endif
