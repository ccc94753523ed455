#include "config/json_form.h"

#include "config/writer.h"

namespace tidegate::config {

std::string to_json(const Config& config, const JsonOptions& options) {
  Writer writer(options.layout, options.defaults, options.sources != nullptr);
  writer.write_object(&config, root_schema(), nullptr);
  return writer.json.take() + '\n';
}

}  // namespace tidegate::config
