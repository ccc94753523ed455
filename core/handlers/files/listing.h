// Directory listings of a files route: what was asked for, reading the directory, and the response.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "handlers/files/file_loader.h"
#include "handlers/files/listing_page.h"
#include "pipeline/routed_exchange.h"

namespace tidegate::handlers {

struct ListingRequest {
  std::string url_path;  // of the directory as the client sees it, decoded
  std::string url_base;  // where the served tree begins, as the client sees it
  ListingOrder order;
  bool json = false;
};

[[nodiscard]] ListingRequest listing_request_of(const pipeline::RoutedExchange& exchange, const FilesSettings& settings);

// Reads the directory `path` (below the root, beginning and ending with '/') and renders it. Blocks: for the pool.
[[nodiscard]] base::Result<std::string> make_listing(const FilesRoot& root, std::string_view path, const ListingRequest& request);

// Sets the response; the page is copied to the exchange's arena.
void set_listing_response(pipeline::RoutedExchange& exchange, std::string_view page, const ListingRequest& request);

}  // namespace tidegate::handlers
