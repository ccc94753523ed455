// Where a piece of configuration was written, and the texts it was read from.
//
// Sources is owned by whoever loaded the configuration (the control thread or a command) and used on that thread only.
// File numbers are stable: file 0 is the first one loaded. Addresses of files and of their value trees stay valid while
// the Sources object, or the one it was moved to, lives.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tidegate::config {

struct Value;

// A place in a source text. Line and column count from 1; a column is a Unicode code point. Line 0: no place is known.
struct SourceLocation {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  [[nodiscard]] explicit operator bool() const { return line != 0; }
  friend auto operator<=>(const SourceLocation&, const SourceLocation&) = default;
};

// Where an object of the model came from. It is not part of what the object says: any two compare equal.
struct Written {
  SourceLocation at;
  const Value* value = nullptr;  // the tree it was read from; null for objects made by code

  friend bool operator==(const Written&, const Written&) { return true; }
};

struct SourceFile {
  std::string name;       // as shown in messages
  std::string directory;  // base of its relative paths; empty: the working directory
  std::string text;
  std::unique_ptr<Value> tree;  // null when the text could not be parsed
};

class Sources {
 public:
  Sources();
  Sources(Sources&&) noexcept;
  Sources& operator=(Sources&&) noexcept;
  ~Sources();

  // Returns the number of the new file.
  std::uint32_t add(std::string name, std::string directory, std::string text);
  [[nodiscard]] std::size_t size() const { return files_.size(); }
  [[nodiscard]] SourceFile& file(std::uint32_t number) { return files_[number]->source; }
  [[nodiscard]] const SourceFile& file(std::uint32_t number) const { return files_[number]->source; }
  // The text of a line without its end; empty when there is no such line. The first call for a file indexes it.
  [[nodiscard]] std::string_view line(std::uint32_t file, std::uint32_t line) const;
  // "name:line:column", "name" when the line is not known, "" when no file is.
  [[nodiscard]] std::string describe(const SourceLocation& at) const;
  // `path` made absolute from the directory of the file that names it, "." and ".." resolved by their text.
  [[nodiscard]] std::string resolve(std::uint32_t file, std::string_view path) const;

 private:
  struct Entry {
    SourceFile source;
    std::vector<std::size_t> line_starts;
  };
  std::vector<std::unique_ptr<Entry>> files_;
};

}  // namespace tidegate::config
