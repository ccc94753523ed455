// A doubly linked list whose links live in the elements: no allocation, O(1) removal of a known element.
// Owns nothing. An element may be in one list a Link at a time and must leave it before it is destroyed.
#pragma once

#include "base/check.h"

namespace tidegate::base {

struct Link {
  Link* next = nullptr;
  Link* prev = nullptr;

  [[nodiscard]] bool linked() const { return next != nullptr; }
  void unlink() {
    if (next == nullptr) return;
    prev->next = next;
    next->prev = prev;
    next = prev = nullptr;
  }
};

// T derives from Link (or from a type that does), so that a Link* converts back with static_cast.
template <class T>
class IntrusiveList {
 public:
  IntrusiveList() { head_.next = head_.prev = &head_; }
  IntrusiveList(const IntrusiveList&) = delete;
  IntrusiveList& operator=(const IntrusiveList&) = delete;
  ~IntrusiveList() { TIDEGATE_CHECK(empty()); }

  [[nodiscard]] bool empty() const { return head_.next == &head_; }
  [[nodiscard]] T& front() { return *static_cast<T*>(head_.next); }

  void push_back(T& element) {
    Link& link = element;
    TIDEGATE_CHECK(!link.linked());
    link.prev = head_.prev;
    link.next = &head_;
    head_.prev->next = &link;
    head_.prev = &link;
  }

  // Takes the first element out, or returns nullptr.
  T* pop_front() {
    if (empty()) return nullptr;
    Link* first = head_.next;
    first->unlink();
    return static_cast<T*>(first);
  }

  // Moves all elements of `other` to the end of this list.
  void splice(IntrusiveList& other) {
    if (other.empty()) return;
    other.head_.next->prev = head_.prev;
    head_.prev->next = other.head_.next;
    other.head_.prev->next = &head_;
    head_.prev = other.head_.prev;
    other.head_.next = other.head_.prev = &other.head_;
  }

  // Calls visit(T&) for each element; visit may unlink the element that it is given.
  template <class Visit>
  void for_each(Visit&& visit) {
    for (Link* at = head_.next; at != &head_;) {
      Link* following = at->next;
      visit(*static_cast<T*>(at));
      at = following;
    }
  }

 private:
  Link head_;
};

}  // namespace tidegate::base
