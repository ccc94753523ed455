// Nanoseconds and allocations a request head and a chunked body, for each scan level of this processor.
//
// usage: micro_parser [--json] [--rounds N]
// Every case runs N rounds (default 25) of about 2 ms; the table has the fastest and the middle round. The program
// fails (exit code 1) if a case allocates after its first round or a sample does not parse. Exit code 2: usage.
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "http/h1/chunked_decoder.h"
#include "http/h1/head_parser.h"

namespace {
std::size_t allocations = 0;
}  // namespace

// All allocations of the program, counted.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  std::abort();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace tidegate::bench {
namespace {

using namespace http::h1;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kWrk = "GET / HTTP/1.1\r\nHost: 127.0.0.1:18080\r\n\r\n";

constexpr std::string_view kCurl =
    "GET /assets/app.js HTTP/1.1\r\nHost: localhost:8080\r\nUser-Agent: curl/8.5.0\r\nAccept: */*\r\n\r\n";

constexpr std::string_view kChrome =
    "GET /products/shoes?color=red&size=42&sort=price HTTP/1.1\r\n"
    "Host: shop.example.com\r\n"
    "Connection: keep-alive\r\n"
    "Cache-Control: max-age=0\r\n"
    "sec-ch-ua: \"Chromium\";v=\"140\", \"Not=A?Brand\";v=\"24\", \"Google Chrome\";v=\"140\"\r\n"
    "sec-ch-ua-mobile: ?0\r\n"
    "sec-ch-ua-platform: \"Linux\"\r\n"
    "Upgrade-Insecure-Requests: 1\r\n"
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36\r\n"
    "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8\r\n"
    "Sec-Fetch-Site: same-origin\r\n"
    "Sec-Fetch-Mode: navigate\r\n"
    "Sec-Fetch-User: ?1\r\n"
    "Sec-Fetch-Dest: document\r\n"
    "Referer: https://shop.example.com/products\r\n"
    "Accept-Encoding: gzip, deflate, br, zstd\r\n"
    "Accept-Language: en-US,en;q=0.9,de;q=0.8\r\n"
    "Cookie: session=6f1c9a0e3b7d4f52a8c1; theme=dark; consent=1; _ga=GA1.1.1234567890.1700000000\r\n"
    "If-None-Match: \"5f3a-62b1c0de\"\r\n"
    "\r\n";

// 64 requests of wrk behind each other, as a pipelining client sends them.
std::string pipelined() {
  std::string text;
  for (int i = 0; i < 64; ++i) text += kWrk;
  return text;
}

// 16 chunks of 1000 bytes.
std::string chunked_body() {
  std::string text;
  for (int i = 0; i < 16; ++i) text += "3e8\r\n" + std::string(1000, 'x') + "\r\n";
  return text + "0\r\n\r\n";
}

// Keeps the compiler from leaving out what computes `value`.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

// Parses all heads in the text. Gives their number, 0 if one is not accepted.
std::size_t parse_heads(const ScanOps& ops, std::string_view text, RequestHead& head) {
  const HeadLimits limits;
  std::size_t count = 0;
  while (!text.empty()) {
    ScanState state;
    const ParseResult result = parse_request_head(ops, text.data(), text.size(), limits, state, head);
    if (result.status != HeadStatus::kDone) return 0;
    keep(head);
    text.remove_prefix(result.consumed);
    ++count;
  }
  return count;
}

// As a head that comes in two reads: the second parse goes on, then reads the whole.
std::size_t parse_in_two(const ScanOps& ops, std::string_view text, RequestHead& head) {
  const HeadLimits limits;
  ScanState state;
  keep(parse_request_head(ops, text.data(), text.size() / 2, limits, state, head));
  const ParseResult result = parse_request_head(ops, text.data(), text.size(), limits, state, head);
  keep(head);
  return result.status == HeadStatus::kDone ? 1 : 0;
}

std::size_t decode_body(std::string_view text) {
  ChunkedDecoder decoder;
  while (true) {
    const ChunkResult result = decoder.next(text.data(), text.size(), nullptr);
    keep(result);
    if (result.status == ChunkStatus::kDone) return 1;
    if (result.status != ChunkStatus::kData) return 0;
    text.remove_prefix(result.consumed);
  }
}

struct Figures {
  std::string_view sample;
  std::string_view level;
  std::size_t bytes = 0;
  double min_ns = 0;
  double median_ns = 0;
  std::size_t allocations = 0;
  bool is_correct = false;
};

// Times `work`, which gives how many heads or bodies it handled (0: wrong).
template <class Work>
Figures measure(std::string_view sample, std::string_view level, std::size_t bytes, std::size_t rounds, Work work) {
  Figures figures{sample, level, bytes, 0, 0, 0, true};
  std::size_t calls = 1;
  struct Round {
    double total_ns;
    double each_ns;
  };
  const auto round = [&] {
    std::size_t handled = 0;
    const auto start = Clock::now();
    for (std::size_t i = 0; i < calls; ++i) {
      const std::size_t done = work();
      figures.is_correct = figures.is_correct && done != 0;
      handled += done;
    }
    const std::chrono::duration<double, std::nano> spent = Clock::now() - start;
    return Round{spent.count(), spent.count() / static_cast<double>(std::max<std::size_t>(handled, 1))};
  };
  while (round().total_ns < 2e6) calls *= 2;  // the warm-up
  std::vector<double> times(rounds);
  const std::size_t before = allocations;
  for (double& time : times) time = round().each_ns;
  figures.allocations = allocations - before;
  std::ranges::sort(times);
  figures.min_ns = times.front();
  figures.median_ns = times[times.size() / 2];
  return figures;
}

std::vector<Figures> measure_all(std::size_t rounds) {
  const std::string many = pipelined();
  const std::string body = chunked_body();
  std::vector<Figures> all;
  RequestHead head;
  for (const ScanLevel level : {ScanLevel::kScalar, ScanLevel::kSse42, ScanLevel::kAvx2, ScanLevel::kNeon}) {
    const ScanOps* ops = scan_ops_at(level);
    if (ops == nullptr) continue;
    const std::string_view name = name_of(level);
    const auto heads = [&](std::string_view sample, std::string_view text, std::size_t bytes) {
      all.push_back(measure(sample, name, bytes, rounds, [&] { return parse_heads(*ops, text, head); }));
    };
    heads("wrk", kWrk, kWrk.size());
    heads("curl", kCurl, kCurl.size());
    heads("chrome", kChrome, kChrome.size());
    heads("wrk, 64 pipelined", many, kWrk.size());
    all.push_back(measure("chrome, in two reads", name, kChrome.size(), rounds,
                          [&] { return parse_in_two(*ops, kChrome, head); }));
  }
  all.push_back(
      measure("chunked, 16 x 1000", name_of(scan_level()), body.size(), rounds, [&] { return decode_body(body); }));
  return all;
}

void print_table(const std::vector<Figures>& all) {
  std::printf("%-22s %-7s %6s %9s %9s %7s\n", "sample", "scan", "bytes", "min ns", "median ns", "mallocs");
  for (const Figures& one : all) {
    std::printf("%-22.*s %-7.*s %6zu %9.1f %9.1f %7zu\n", static_cast<int>(one.sample.size()), one.sample.data(),
                static_cast<int>(one.level.size()), one.level.data(), one.bytes, one.min_ns, one.median_ns,
                one.allocations);
  }
}

void print_json(const std::vector<Figures>& all) {
  const char* separator = "[\n";
  for (const Figures& one : all) {
    std::printf(
        R"(%s  {"sample": "%.*s", "scan": "%.*s", "bytes": %zu, "min_ns": %.1f, "median_ns": %.1f, "mallocs": %zu})",
        separator, static_cast<int>(one.sample.size()), one.sample.data(), static_cast<int>(one.level.size()),
        one.level.data(), one.bytes, one.min_ns, one.median_ns, one.allocations);
    separator = ",\n";
  }
  std::printf("\n]\n");
}

int run(int argc, char** argv) {
  bool as_json = false;
  std::size_t rounds = 25;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--json") {
      as_json = true;
    } else if (argument == "--rounds" && i + 1 < argc) {
      const std::string_view number = argv[++i];
      const auto read = std::from_chars(number.begin(), number.end(), rounds);
      if (read.ec != std::errc{} || read.ptr != number.end() || rounds == 0) return 2;
    } else {
      return 2;
    }
  }
  const std::vector<Figures> all = measure_all(rounds);
  as_json ? print_json(all) : print_table(all);
  const bool is_good =
      std::ranges::all_of(all, [](const Figures& one) { return one.is_correct && one.allocations == 0; });
  if (!is_good) std::fputs("micro_parser: a sample did not parse, or allocated memory\n", stderr);
  return is_good ? 0 : 1;
}

}  // namespace
}  // namespace tidegate::bench

int main(int argc, char** argv) {
  const int code = tidegate::bench::run(argc, argv);
  if (code == 2) std::fputs("usage: micro_parser [--json] [--rounds N]\n", stderr);
  return code;
}
