// A promise to keep something alive while its bytes are in use (a cached body that is being sent). A plain value: who
// holds it must call drop() exactly once.
#pragma once

namespace tidegate::base {

struct Pin {
  void (*release)(void* object) = nullptr;  // null: nothing to keep
  void* object = nullptr;

  void drop() {
    if (release != nullptr) release(object);
    release = nullptr;
  }
};

}  // namespace tidegate::base
