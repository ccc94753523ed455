// Walks a value tree along the schema and fills the model; every complaint gets its place and its path.
//
// One Reader a document, on the thread that loads. It never stops at an error: the setting keeps its default and the
// walk goes on, so that all errors of a document are found at once.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/diagnostic.h"
#include "config/schema.h"
#include "config/value.h"

namespace tidegate::config {

class Reader {
 public:
  Reader(const Sources& sources, Diagnostics& diagnostics) : sources_(sources), diagnostics_(diagnostics) {}

  // Reads `value`, which should be a table, into the object that `info` describes.
  void read_object(const Value& value, void* object, const ObjectInfo& info);

  // Whether the value has the kind; if not, says what the type expects.
  bool expect(const Value& value, Value::Kind kind, const TypeInfo& type);
  // Says that the value has the wrong type. Silent for values that already have an error.
  void wrong_type(const Value& value, const TypeInfo& type);
  // Whether the number lies in the field's range; if not, says so.
  bool in_range(const Value& value, std::uint64_t number, const Field& field);
  // Says that the string is none of the type's words, and which was probably meant.
  void unknown_word(const Value& value, const TypeInfo& type);
  // True when `problem` is empty; else reports it for the value's text.
  bool accept(const Value& value, std::string_view problem);
  // The same for the key of a table entry, which must be the innermost step of the path.
  bool accept_key(const Member& member, std::string_view problem);
  Diagnostic& error(const SourceLocation& at, std::string message, std::string hint = {});
  Diagnostic& warning(const SourceLocation& at, std::string message, std::string hint = {});

  // The name of the innermost key on the path, for messages.
  [[nodiscard]] std::string key() const;
  [[nodiscard]] std::string pointer() const;
  // The names on the path, as a TOML header would say them: "site.route".
  [[nodiscard]] std::string table_name() const;
  // A path of the configuration, absolute from the directory of the file that names it.
  [[nodiscard]] std::string resolve(std::uint32_t file, std::string_view path) const {
    return sources_.resolve(file, path);
  }

  // Adds a step to the path while it lives.
  class Step {
   public:
    Step(Reader& reader, std::string_view key) : reader_(reader) { reader_.path_.emplace_back(key); }
    Step(Reader& reader, std::size_t index) : reader_(reader) { reader_.path_.emplace_back(index); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step() { reader_.path_.pop_back(); }

   private:
    Reader& reader_;
  };

 private:
  void unknown_key(const Member& member, const ObjectInfo& info);
  void read_member(const Member& member, void* object, const ObjectInfo& info);
  void require_fields(const Value& value, const ObjectInfo& info);

  const Sources& sources_;
  Diagnostics& diagnostics_;
  std::vector<std::variant<std::string_view, std::size_t>> path_;
};

}  // namespace tidegate::config
