#include "handlers/files/file_body.h"

#include <algorithm>
#include <array>

namespace tidegate::handlers {

namespace {
// A piece of a file that is sent at once: large enough that the calls between do not count, small enough that a change of
// the file is noticed soon.
constexpr std::uint64_t kPieceMax = 1024 * 1024;
constexpr std::size_t kPartHeadMax = 512;
}  // namespace

FileBody::FileBody(const Representation& representation, base::Pin pin, std::span<const http::ByteRange> ranges,
                   const http::Multipart* multipart)
    : representation_(representation), pin_(pin), ranges_(ranges), multipart_(multipart) {}

bool FileBody::unchanged() const {
  if (representation_.in_memory()) return true;
  const auto stat = sys::stat_of(representation_.file);
  return stat && stat->size == representation_.stat.size && stat->modified_ns == representation_.stat.modified_ns;
}

void FileBody::append_part_head(http::BodySink& sink) {
  std::array<char, kPartHeadMax> text;
  sink.append(multipart_->write_part_head(ranges_[range_], range_ == 0, text));
}

void FileBody::append_bytes(http::BodySink& sink, std::uint64_t size) {
  const std::uint64_t offset = ranges_[range_].first + done_;
  if (representation_.in_memory()) {
    sink.append_pinned(representation_.content().substr(offset, size), {});
  } else {
    sink.append_file(representation_.file, offset, size, {});
  }
  done_ += size;
}

http::Pull FileBody::pull(http::BodySink& sink, std::uint64_t) {
  if (!unchanged()) return http::Pull::kFail;
  if (range_ < ranges_.size()) {
    if (multipart_ != nullptr && done_ == 0) append_part_head(sink);
    append_bytes(sink, std::min(ranges_[range_].size() - done_, kPieceMax));
    if (done_ < ranges_[range_].size()) return http::Pull::kMore;
    done_ = 0;
    ++range_;
  }
  if (range_ < ranges_.size()) return http::Pull::kMore;
  if (multipart_ != nullptr) {
    std::array<char, http::kBoundarySize + 16> text;
    sink.append(multipart_->write_tail(text));
  }
  return http::Pull::kEnd;
}

}  // namespace tidegate::handlers
