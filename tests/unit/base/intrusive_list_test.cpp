// The intrusive list: order, removal of known elements, joining.
#include "base/intrusive_list.h"

#include <doctest/doctest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

namespace tidegate::base {
namespace {

struct Item : Link {
  int value = 0;
};

struct Items {
  std::array<Item, 8> all;
  Items() {
    for (std::size_t i = 0; i < all.size(); ++i) all[i].value = static_cast<int>(i);
  }
  Item& operator[](std::size_t i) { return all[i]; }
};

// The values in order, taking every element out.
std::string drain(IntrusiveList<Item>& list) {
  std::string values;
  while (Item* item = list.pop_front()) {
    CHECK(!item->linked());
    values += std::to_string(item->value);
  }
  CHECK(list.empty());
  return values;
}

TEST_CASE("elements come out in the order in which they went in") {
  Items items;
  IntrusiveList<Item> list;
  CHECK(list.empty());
  CHECK(list.pop_front() == nullptr);
  for (std::size_t i = 0; i < 4; ++i) list.push_back(items[i]);
  CHECK(!list.empty());
  CHECK(&list.front() == &items[0]);
  CHECK(items[2].linked());
  CHECK(drain(list) == "0123");
  list.push_back(items[2]);  // and may go in again
  CHECK(drain(list) == "2");
}

TEST_CASE("first, middle and last element leave by themselves") {
  Items items;
  IntrusiveList<Item> list;
  for (std::size_t i = 0; i < 5; ++i) list.push_back(items[i]);
  items[0].unlink();
  items[2].unlink();
  items[4].unlink();
  CHECK(!items[2].linked());
  items[2].unlink();  // not in a list: nothing happens
  CHECK(&list.front() == &items[1]);
  CHECK(drain(list) == "13");
  list.push_back(items[0]);
  items[0].unlink();
  CHECK(list.empty());
}

TEST_CASE("a list is joined to the end of another") {
  Items items;
  IntrusiveList<Item> one;
  IntrusiveList<Item> two;
  one.splice(two);
  CHECK(one.empty());
  for (std::size_t i = 0; i < 3; ++i) one.push_back(items[i]);
  for (std::size_t i = 3; i < 5; ++i) two.push_back(items[i]);
  one.splice(two);
  CHECK(two.empty());
  two.push_back(items[5]);  // the emptied list is as good as new
  items[3].unlink();
  CHECK(drain(one) == "0124");
  one.splice(two);
  CHECK(drain(one) == "5");
}

TEST_CASE("each element is visited once and may leave meanwhile") {
  Items items;
  IntrusiveList<Item> list;
  for (std::size_t i = 0; i < 6; ++i) list.push_back(items[i]);
  std::string visited;
  list.for_each([&](Item& item) {
    visited += std::to_string(item.value);
    if (item.value != 1 && item.value != 4) item.unlink();
  });
  CHECK(visited == "012345");
  CHECK(drain(list) == "14");
}

TEST_CASE("an element moves from list to list") {
  Items items;
  IntrusiveList<Item> waiting;
  IntrusiveList<Item> ready;
  for (std::size_t i = 0; i < 3; ++i) waiting.push_back(items[i]);
  items[1].unlink();
  ready.push_back(items[1]);
  CHECK(drain(waiting) == "02");
  CHECK(drain(ready) == "1");
}

TEST_CASE("long use agrees with a vector") {
  Items items;
  IntrusiveList<Item> list;
  std::vector<int> model;
  std::mt19937 random(7);
  for (int step = 0; step < 10'000; ++step) {
    Item& item = items[random() % items.all.size()];
    if (item.linked()) {
      item.unlink();
      std::erase(model, item.value);
    } else {
      list.push_back(item);
      model.push_back(item.value);
    }
    std::vector<int> values;
    list.for_each([&](Item& each) { values.push_back(each.value); });
    REQUIRE(values == model);
  }
  drain(list);
}

}  // namespace
}  // namespace tidegate::base
