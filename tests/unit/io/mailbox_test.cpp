// The mailbox: nothing lost, nothing twice, the order of each sender kept.
#include "io/mailbox.h"

#include <doctest/doctest.h>

#include <atomic>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

namespace tidegate::io {

namespace {

struct Letter : Message {
  int sender = 0;
  int number = 0;
  std::vector<std::vector<int>>* received = nullptr;
  int payload = 0;  // written by the sender without synchronisation of its own

  Letter() {
    deliver = [](Message& message) {
      auto& self = static_cast<Letter&>(message);
      CHECK(self.payload == self.number * 7);
      (*self.received)[static_cast<std::size_t>(self.sender)].push_back(self.number);
    };
  }
};

}  // namespace

TEST_CASE("mailbox: oldest first") {
  Mailbox mailbox;
  std::vector<std::vector<int>> received(1);
  std::deque<Letter> letters(5);
  CHECK(!mailbox.pending());
  mailbox.drain();
  for (int i = 0; i < 5; ++i) {
    Letter& letter = letters[static_cast<std::size_t>(i)];
    letter.number = i;
    letter.payload = i * 7;
    letter.received = &received;
    mailbox.post(letter);
  }
  CHECK(mailbox.pending());
  mailbox.drain();
  CHECK(!mailbox.pending());
  CHECK(received[0] == std::vector<int>{0, 1, 2, 3, 4});
}

TEST_CASE("mailbox: a message may be freed or posted again while it is delivered") {
  Mailbox mailbox;
  struct Again : Message {
    Mailbox* mailbox = nullptr;
    std::unique_ptr<Again>* owner = nullptr;
    int delivered = 0;
  };
  auto again = std::make_unique<Again>();
  auto follower = std::make_unique<Again>();
  int follower_delivered = 0;
  again->mailbox = &mailbox;
  again->owner = &again;
  again->deliver = [](Message& message) {
    auto& self = static_cast<Again&>(message);
    if (++self.delivered < 3) {
      self.mailbox->post(self);
    } else {
      self.owner->reset();
    }
  };
  static int* count = nullptr;
  count = &follower_delivered;
  follower->deliver = [](Message&) { ++*count; };
  mailbox.post(*again);
  mailbox.post(*follower);
  mailbox.drain();
  CHECK(follower_delivered == 1);
  CHECK(again->delivered == 1);  // what is posted meanwhile waits for the next time
  mailbox.drain();
  mailbox.drain();
  CHECK(again == nullptr);
  CHECK(!mailbox.pending());
}

TEST_CASE("mailbox: many senders") {
  constexpr int kSenders = 4;
  constexpr int kLetters = 20'000;
  Mailbox mailbox;
  std::vector<std::vector<int>> received(kSenders);
  std::vector<std::vector<Letter>> letters(kSenders);
  for (auto& of_sender : letters) of_sender = std::vector<Letter>(kLetters);
  std::vector<std::thread> threads;
  std::atomic<int> running{kSenders};
  for (int sender = 0; sender < kSenders; ++sender) {
    threads.emplace_back([&, sender] {
      for (int i = 0; i < kLetters; ++i) {
        Letter& letter = letters[static_cast<std::size_t>(sender)][static_cast<std::size_t>(i)];
        letter.sender = sender;
        letter.number = i;
        letter.payload = i * 7;
        letter.received = &received;
        mailbox.post(letter);
      }
      running.fetch_sub(1);
    });
  }
  while (running.load() > 0) mailbox.drain();
  for (std::thread& thread : threads) thread.join();
  mailbox.drain();
  for (const std::vector<int>& numbers : received) {
    REQUIRE(numbers.size() == kLetters);
    for (int i = 0; i < kLetters; ++i) {
      if (numbers[static_cast<std::size_t>(i)] != i) FAIL("out of order");
    }
  }
}

}  // namespace tidegate::io
