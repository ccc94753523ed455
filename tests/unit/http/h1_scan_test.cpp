// The vector scans against the scalar one: every byte at every position of every size, random stretches, and memory
// that ends where the stretch ends.
#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "http/h1/scan.h"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "tests/unit/http/h1_parse.h"

using namespace tidegate::http;
using namespace tidegate::http::h1;

namespace {

struct NamedClass {
  const char* name;
  const ByteClass* allowed;
  char member;
};

constexpr std::array kClasses = {NamedClass{"token", &kTokenBytes, 'a'}, NamedClass{"value", &kValueBytes, 'a'},
                                 NamedClass{"path", &kPathBytes, '/'}, NamedClass{"query", &kQueryBytes, '?'},
                                 NamedClass{"plain name", &kPlainNameBytes, '-'}};

// The masks as one bit a byte, from a result filled with rubbish before.
struct Classified {
  LineMasks masks;
  std::size_t words;

  Classified(const ScanOps& ops, const char* data, std::size_t size) : words((size + 63) / 64) {
    masks.control.fill(0x5A5A'5A5A'5A5A'5A5A);
    masks.nontoken.fill(0xA5A5'A5A5'A5A5'A5A5);
    ops.classify(data, size, masks);
  }
  friend bool operator==(const Classified& a, const Classified& b) {
    if (a.words != b.words) return false;
    for (std::size_t i = 0; i < a.words; ++i) {
      if (a.masks.control[i] != b.masks.control[i] || a.masks.nontoken[i] != b.masks.nontoken[i]) return false;
    }
    return true;
  }
};

// A stretch of bytes whose end is the end of readable memory. Without mmap, memory of exactly that size.
class GuardedBytes {
 public:
  explicit GuardedBytes(std::size_t capacity) : capacity_(capacity) {
#if defined(__unix__) || defined(__APPLE__)
    page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    size_ = (capacity + page_ - 1) / page_ * page_;
    void* got = mmap(nullptr, size_ + page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(got != MAP_FAILED);
    base_ = static_cast<char*>(got);
    REQUIRE(mprotect(base_ + size_, page_, PROT_NONE) == 0);
#else
    size_ = capacity;
    base_ = new char[size_];
#endif
  }
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;
  ~GuardedBytes() {
#if defined(__unix__) || defined(__APPLE__)
    munmap(base_, size_ + page_);
#else
    delete[] base_;
#endif
  }
  // The last `size` bytes before the guard.
  char* last(std::size_t size) {
    REQUIRE(size <= capacity_);
    return base_ + size_ - size;
  }

 private:
  std::size_t capacity_;
  std::size_t page_ = 0;
  std::size_t size_ = 0;
  char* base_ = nullptr;
};

std::mt19937& random_source() {
  static std::mt19937 source(20'241);
  return source;
}

unsigned random_below(unsigned limit) { return std::uniform_int_distribution<unsigned>(0, limit - 1)(random_source()); }

}  // namespace

TEST_CASE("byte classes: both forms agree, and with the grammar") {
  for (const NamedClass& named : kClasses) {
    for (unsigned byte = 0; byte < 256; ++byte) {
      CAPTURE(named.name);
      CAPTURE(byte);
      const bool by_nibbles = (named.allowed->low[byte & 15] & named.allowed->high[byte >> 4]) != 0;
      CHECK(by_nibbles == named.allowed->contains(static_cast<char>(byte)));
    }
  }
  for (unsigned byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    CHECK(kTokenBytes.contains(c) == is_tchar(c));
    CHECK(kValueBytes.contains(c) == (byte == '\t' || (byte >= 0x20 && byte != 0x7F)));
    CHECK(kPlainNameBytes.contains(c) == (is_alpha(c) || is_digit(c) || c == '-'));
    const bool printable = byte > 0x20 && byte != 0x7F;
    CHECK(kQueryBytes.contains(c) == (printable && c != '"' && c != '<' && c != '>' && c != '#'));
    CHECK(kPathBytes.contains(c) == (kQueryBytes.contains(c) && c != '?' && c != '\\'));
  }
}

TEST_CASE("scan: the best level is one that exists") {
  CHECK(scan_ops_at(scan_level()) == &scan_ops());
  CHECK_FALSE(name_of(scan_level()).empty());
  CHECK(scan_ops_at(ScanLevel::kScalar) != nullptr);
#if defined(__x86_64__)
  CHECK(scan_ops_at(ScanLevel::kNeon) == nullptr);
#elif defined(__aarch64__)
  CHECK(scan_level() == ScanLevel::kNeon);
#endif
}

TEST_CASE("scan: find_not, every byte at every position up to 100 bytes") {
  GuardedBytes memory(100);
  for (const ScanLevel level : available_levels()) {
    const ScanOps& ops = *scan_ops_at(level);
    for (const NamedClass& named : kClasses) {
      std::size_t wrong = 0;
      for (std::size_t size = 0; size <= 100; ++size) {
        char* bytes = memory.last(size);
        std::memset(bytes, named.member, size);
        wrong += ops.find_not(bytes, size, *named.allowed) != size;
        for (std::size_t at = 0; at < size; ++at) {
          for (unsigned byte = 0; byte < 256; ++byte) {
            bytes[at] = static_cast<char>(byte);
            const std::size_t expected = named.allowed->contains(bytes[at]) ? size : at;
            wrong += ops.find_not(bytes, size, *named.allowed) != expected;
          }
          bytes[at] = named.member;
        }
      }
      CAPTURE(name_of(level));
      CAPTURE(named.name);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("scan: find_not gives the first of several") {
  for (const ScanLevel level : available_levels()) {
    const ScanOps& ops = *scan_ops_at(level);
    for (std::size_t first = 0; first < 80; ++first) {
      for (std::size_t second = first; second < 80; ++second) {
        std::string text(80, 'a');
        text[first] = text[second] = ' ';
        CHECK(ops.find_not(text.data(), text.size(), kTokenBytes) == first);
      }
    }
  }
}

TEST_CASE("scan: classify, every byte at every position up to 140 bytes") {
  GuardedBytes memory(140);
  for (const ScanLevel level : available_levels()) {
    const ScanOps& ops = *scan_ops_at(level);
    std::size_t wrong = 0;
    for (std::size_t size = 0; size <= 140; ++size) {
      char* bytes = memory.last(size);
      std::memset(bytes, 'a', size);
      for (std::size_t at = 0; at < size; ++at) {
        for (unsigned byte = 0; byte < 256; ++byte) {
          bytes[at] = static_cast<char>(byte);
          const Classified found(ops, bytes, size);
          const bool is_control = !kValueBytes.contains(bytes[at]);
          const bool is_nontoken = !kTokenBytes.contains(bytes[at]);
          for (std::size_t word = 0; word < found.words; ++word) {
            const std::uint64_t bit = word == at / 64 ? std::uint64_t{1} << at % 64 : 0;
            wrong += found.masks.control[word] != (is_control ? bit : 0);
            wrong += found.masks.nontoken[word] != (is_nontoken ? bit : 0);
          }
        }
        bytes[at] = 'a';
      }
    }
    CAPTURE(name_of(level));
    CHECK(wrong == 0);
  }
}

TEST_CASE("scan: random bytes, all levels give the same") {
  GuardedBytes memory(LineMasks::kBytes);
  const ScanOps& scalar = *scan_ops_at(ScanLevel::kScalar);
  for (int round = 0; round < 20'000; ++round) {
    const std::size_t size = random_below(round % 4 == 0 ? LineMasks::kBytes + 1 : 130);
    char* bytes = memory.last(size);
    const unsigned kind = random_below(3);
    for (std::size_t i = 0; i < size; ++i) {
      bytes[i] = static_cast<char>(kind == 0   ? random_below(256)
                                   : kind == 1 ? 0x20 + random_below(0x60)
                                               : 'a' + random_below(26));
    }
    if (kind == 2 && size != 0) bytes[random_below(static_cast<unsigned>(size))] = static_cast<char>(random_below(256));
    const Classified expected(scalar, bytes, size);
    for (const ScanLevel level : available_levels()) {
      const ScanOps& ops = *scan_ops_at(level);
      REQUIRE((Classified(ops, bytes, size) == expected));
      for (const NamedClass& named : kClasses) {
        REQUIRE(ops.find_not(bytes, size, *named.allowed) == scalar.find_not(bytes, size, *named.allowed));
      }
    }
  }
}

TEST_CASE("scan: words without bytes are not written") {
  const std::string text(64, 'a');
  for (const ScanLevel level : available_levels()) {
    const Classified found(*scan_ops_at(level), text.data(), 64);
    CHECK(found.masks.control[0] == 0);
    CHECK(found.masks.control[1] == 0x5A5A'5A5A'5A5A'5A5A);
    CHECK(found.masks.nontoken[1] == 0xA5A5'A5A5'A5A5'A5A5);
  }
}

TEST_CASE("scan: heads at the end of readable memory") {
  const std::string text = get_with("User-Agent: x\r\nX: " + std::string(300, 'v') + "\r\n");
  GuardedBytes memory(text.size());
  for (const ScanLevel level : available_levels()) {
    for (std::size_t size = 1; size <= text.size(); ++size) {
      char* bytes = memory.last(size);
      std::memcpy(bytes, text.data(), size);
      ScanState state;
      RequestHead head;
      const ParseResult result = parse_request_head(*scan_ops_at(level), bytes, size, {}, state, head);
      CHECK((result.status == HeadStatus::kDone) == (size == text.size()));
    }
  }
}
