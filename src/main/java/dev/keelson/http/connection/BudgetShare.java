package dev.keelson.http.connection;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The bytes of one body in the budget. They count until the request has ended and its thread has
 * let go of them, whichever comes last: a client that goes away while its body waits for its turn
 * does not make room for another. Safe for use by several threads.
 */
final class BudgetShare {

  private final BodyBudget budget;

  /** Guards the fields below. */
  private final ReentrantLock lock = new ReentrantLock();

  private long bytes;
  private boolean held;
  private boolean ended;

  BudgetShare(BodyBudget budget) {
    this.budget = budget;
  }

  /** Takes further bytes; false if there are too few left. */
  boolean take(long more) {
    if (!budget.take(more)) {
      return false;
    }
    lock.lock();
    try {
      bytes += more;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** The request's thread has the bytes; false if the request has ended before. */
  boolean hold() {
    lock.lock();
    try {
      held = !ended;
      return held;
    } finally {
      lock.unlock();
    }
  }

  /** The request's thread has the bytes no more. */
  void letGo() {
    lock.lock();
    try {
      held = false;
      giveIfFree();
    } finally {
      lock.unlock();
    }
  }

  /** The request is complete, or its client is gone; no bytes follow. */
  void end() {
    lock.lock();
    try {
      ended = true;
      giveIfFree();
    } finally {
      lock.unlock();
    }
  }

  private void giveIfFree() {
    if (ended && !held) {
      budget.give(bytes);
      bytes = 0;
    }
  }
}
