#include "config/text_diff.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tidegate::config {
namespace {

using Lines = std::vector<std::string_view>;

constexpr std::ptrdiff_t kMaxEdits = 2000;
constexpr std::size_t kContext = 3;

// With their line ends, so that a missing one at the end of the text counts.
Lines split(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// One line of the script that turns the first text into the second.
struct Edit {
  char mark;  // ' ', '-' or '+'
  std::string_view line;
};

// E. W. Myers, "An O(ND) difference algorithm and its variations" (1986), the greedy form with its trace kept.
class Differ {
 public:
  Differ(const Lines& a, const Lines& b) : a_(a), b_(b) {}

  std::vector<Edit> script() {
    std::size_t head = 0;
    while (head < a_.size() && head < b_.size() && a_[head] == b_[head]) ++head;
    std::size_t tail = 0;
    while (tail < a_.size() - head && tail < b_.size() - head && a_[a_.size() - 1 - tail] == b_[b_.size() - 1 - tail])
      ++tail;
    begin_ = head;
    n_ = static_cast<std::ptrdiff_t>(a_.size() - head - tail);
    m_ = static_cast<std::ptrdiff_t>(b_.size() - head - tail);
    std::vector<Edit> edits;
    for (std::size_t i = 0; i < head; ++i) edits.push_back({' ', a_[i]});
    search() ? walk_back(edits) : replace(edits);
    for (std::size_t i = a_.size() - tail; i < a_.size(); ++i) edits.push_back({' ', a_[i]});
    return edits;
  }

 private:
  [[nodiscard]] std::string_view old_line(std::ptrdiff_t x) const { return a_[begin_ + static_cast<std::size_t>(x)]; }
  [[nodiscard]] std::string_view new_line(std::ptrdiff_t y) const { return b_[begin_ + static_cast<std::size_t>(y)]; }
  // The furthest x on diagonal k after `d` edits; rows of the trace hold diagonals -d to d.
  [[nodiscard]] std::ptrdiff_t furthest(std::ptrdiff_t d, std::ptrdiff_t k) const {
    return trace_[static_cast<std::size_t>(d)][static_cast<std::size_t>(k + d)];
  }
  // Whether the best way to diagonal k with d edits comes from above (a line added).
  [[nodiscard]] bool from_above(std::ptrdiff_t d, std::ptrdiff_t k) const {
    return k == -d || (k != d && furthest(d - 1, k - 1) < furthest(d - 1, k + 1));
  }

  // Fills the trace until both ends are reached; false when that takes too many edits.
  bool search() {
    for (std::ptrdiff_t d = 0; d <= std::min(n_ + m_, kMaxEdits); ++d) {
      std::vector<std::int32_t> row(static_cast<std::size_t>(2 * d + 1));
      for (std::ptrdiff_t k = -d; k <= d; k += 2) {
        std::ptrdiff_t x = d == 0 ? 0 : from_above(d, k) ? furthest(d - 1, k + 1) : furthest(d - 1, k - 1) + 1;
        while (x < n_ && x - k < m_ && old_line(x) == new_line(x - k)) ++x;
        row[static_cast<std::size_t>(k + d)] = static_cast<std::int32_t>(x);
        if (x < n_ || x - k < m_) continue;
        edits_ = d;
        return true;
      }
      trace_.push_back(std::move(row));
    }
    return false;
  }

  void walk_back(std::vector<Edit>& edits) {
    std::vector<Edit> reversed;
    std::ptrdiff_t x = n_;
    std::ptrdiff_t y = m_;
    for (std::ptrdiff_t d = edits_; d > 0; --d) {
      const std::ptrdiff_t k = x - y;
      const bool added = from_above(d, k);
      const std::ptrdiff_t start_x = added ? furthest(d - 1, k + 1) : furthest(d - 1, k - 1);
      const std::ptrdiff_t start_y = start_x - (added ? k + 1 : k - 1);
      const std::ptrdiff_t snake_x = added ? start_x : start_x + 1;
      for (; x > snake_x; --x, --y) reversed.push_back({' ', old_line(x - 1)});
      reversed.push_back(added ? Edit{'+', new_line(start_y)} : Edit{'-', old_line(start_x)});
      x = start_x;
      y = start_y;
    }
    for (; x > 0; --x) reversed.push_back({' ', old_line(x - 1)});
    edits.insert(edits.end(), reversed.rbegin(), reversed.rend());
  }

  void replace(std::vector<Edit>& edits) const {
    for (std::ptrdiff_t x = 0; x < n_; ++x) edits.push_back({'-', old_line(x)});
    for (std::ptrdiff_t y = 0; y < m_; ++y) edits.push_back({'+', new_line(y)});
  }

  const Lines& a_;
  const Lines& b_;
  std::size_t begin_ = 0;  // lines that are equal at the front
  std::ptrdiff_t n_ = 0;   // lines between the equal front and the equal end
  std::ptrdiff_t m_ = 0;
  std::ptrdiff_t edits_ = 0;
  std::vector<std::vector<std::int32_t>> trace_;
};

// "12,3": the first line and their number; an empty range names the line before it.
std::string range(std::size_t first, std::size_t count) {
  if (count == 1) return std::to_string(first + 1);
  return std::to_string(count == 0 ? first : first + 1) + ',' + std::to_string(count);
}

// Writes the edits [begin, end) as one hunk that starts at the given lines of both texts.
void write_hunk(const std::vector<Edit>& edits, std::size_t begin, std::size_t end, std::size_t old_line,
                std::size_t new_line, std::string& out) {
  std::string body;
  std::size_t old_count = 0;
  std::size_t new_count = 0;
  for (std::size_t i = begin; i < end; ++i) {
    old_count += edits[i].mark != '+' ? 1U : 0U;
    new_count += edits[i].mark != '-' ? 1U : 0U;
    body += edits[i].mark;
    body += edits[i].line;
    if (!edits[i].line.ends_with('\n')) body += "\n\\ No newline at end of file\n";
  }
  out += "@@ -" + range(old_line, old_count) + " +" + range(new_line, new_count) + " @@\n" + body;
}

}  // namespace

std::string unified_diff(std::string_view before, std::string_view after, std::string_view before_name,
                         std::string_view after_name) {
  if (before == after) return {};
  const Lines a = split(before);
  const Lines b = split(after);
  const std::vector<Edit> edits = Differ(a, b).script();
  std::string out = "--- " + std::string(before_name) + "\n+++ " + std::string(after_name) + '\n';
  std::size_t old_line = 0;  // lines of each text before edits[at]
  std::size_t new_line = 0;
  std::size_t at = 0;
  const auto step = [&](std::size_t to) {
    for (; at < to; ++at) {
      old_line += edits[at].mark != '+' ? 1U : 0U;
      new_line += edits[at].mark != '-' ? 1U : 0U;
    }
  };
  const auto next_change = [&](std::size_t from) {
    while (from < edits.size() && edits[from].mark == ' ') ++from;
    return from;
  };
  for (std::size_t change = next_change(0); change < edits.size();) {
    step(change - std::min(kContext, change - at));
    std::size_t end = change;
    // Changes whose contexts touch share a hunk.
    for (std::size_t next = change; next < edits.size() && next <= end + 2 * kContext; next = next_change(end)) {
      end = next;
      while (end < edits.size() && edits[end].mark != ' ') ++end;
    }
    end = std::min(end + kContext, edits.size());
    write_hunk(edits, at, end, old_line, new_line, out);
    step(end);
    change = next_change(end);
  }
  return out;
}

}  // namespace tidegate::config
