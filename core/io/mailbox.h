// Messages to a loop from any thread: an intrusive lock-free queue with many senders and one receiver.
//
// A message is embedded in what the sender allocated; it belongs to the receiver from post() until deliver() was called.
// Order between messages of one sender is kept. Waking the receiver is the loop's job.
#pragma once

#include <atomic>

namespace tidegate::io {

struct Message {
  using Deliver = void (*)(Message& message);
  Deliver deliver = nullptr;  // runs on the receiving loop's thread
  Message* next = nullptr;
};

class Mailbox {
 public:
  // Any thread.
  void post(Message& message) {
    Message* head = head_.load(std::memory_order_relaxed);
    do {
      message.next = head;
    } while (!head_.compare_exchange_weak(head, &message));
  }

  // The receiving thread: whether something waits.
  [[nodiscard]] bool pending() const { return head_.load() != nullptr; }

  // The receiving thread. Delivers everything that has arrived, oldest first.
  void drain() {
    if (head_.load(std::memory_order_relaxed) == nullptr) return;
    Message* newest = head_.exchange(nullptr, std::memory_order_acquire);
    Message* oldest = nullptr;
    while (newest != nullptr) {
      Message* next = newest->next;
      newest->next = oldest;
      oldest = newest;
      newest = next;
    }
    while (oldest != nullptr) {
      Message* next = oldest->next;
      oldest->deliver(*oldest);
      oldest = next;
    }
  }

 private:
  std::atomic<Message*> head_{nullptr};
};

}  // namespace tidegate::io
