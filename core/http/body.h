// Bodies: what a response has to say, and how a request's content reaches a handler.
//
// Response bodies are pulled: the codec asks the source for more when window and watermark allow it, so that a slow
// client pauses whatever stands behind the source.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/pin.h"
#include "sys/file.h"

namespace tidegate::http {

// Where a source puts its bytes; the codec frames them. Sizes above the credit are allowed for what is in memory
// already, since it costs nothing to queue.
class BodySink {
 public:
  virtual void append(std::string_view bytes) = 0;                          // copied
  virtual void append_pinned(std::string_view bytes, base::Pin pin) = 0;    // stays in place until the pin is dropped
  virtual void append_file(sys::FileHandle file, std::uint64_t offset, std::uint64_t size, base::Pin pin) = 0;

 protected:
  ~BodySink() = default;
};

enum class Pull : std::uint8_t {
  kMore,  // something was appended and there is more
  kEnd,   // the body is complete with what was appended
  kWait,  // nothing now; the source calls ResponseWriter::body_ready later
  kFail,  // the body cannot be completed: the message must not look whole
};

class BodySource {
 public:
  // Appends up to about `credit` bytes.
  virtual Pull pull(BodySink& sink, std::uint64_t credit) = 0;
  // The exchange is over, complete or not; the source may go. Called exactly once.
  virtual void release() = 0;

 protected:
  ~BodySource() = default;
};

// The content of a response. Either nothing, bytes in memory, or a source.
struct ResponseBody {
  std::string_view bytes;
  base::Pin pin;                        // keeps `bytes`; dropped by the codec
  BodySource* source = nullptr;         // used when set
  std::optional<std::uint64_t> length;  // of the source, when it is known; HTTP/1.1 sends chunks otherwise
};

// Receives a request's content. Without one it is read and thrown away.
class BodyReader {
 public:
  virtual void on_body(std::string_view bytes) = 0;  // valid during the call
  virtual void on_body_end() = 0;                    // complete; trailers are in the exchange
  virtual void on_body_failed(base::Error error) = 0;  // cut or malformed: nothing more comes

 protected:
  ~BodyReader() = default;
};

}  // namespace tidegate::http
