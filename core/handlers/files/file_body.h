// Response bodies from an open file: one range, or several as multipart/byteranges. Lives in the exchange's arena.
//
// The file must stay what it was when its head was made: before each piece its size and modification time are compared,
// and if they changed the body fails, so that no client takes a mixture for a whole file.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/pin.h"
#include "handlers/files/file_entry.h"
#include "http/body.h"
#include "http/semantics/range.h"

namespace tidegate::handlers {

class FileBody final : public http::BodySource {
 public:
  // `pin` keeps the representation. `ranges`: at least one, living as long as the exchange. `multipart` is null for a
  // single range; its boundary lives as long as the exchange.
  FileBody(const Representation& representation, base::Pin pin, std::span<const http::ByteRange> ranges,
           const http::Multipart* multipart);

  http::Pull pull(http::BodySink& sink, std::uint64_t credit) override;
  void release() override { pin_.drop(); }

 private:
  [[nodiscard]] bool unchanged() const;
  void append_part_head(http::BodySink& sink);
  void append_bytes(http::BodySink& sink, std::uint64_t size);

  const Representation& representation_;
  base::Pin pin_;
  std::span<const http::ByteRange> ranges_;
  const http::Multipart* multipart_;
  std::size_t range_ = 0;
  std::uint64_t done_ = 0;  // bytes of the current range
};

}  // namespace tidegate::handlers
