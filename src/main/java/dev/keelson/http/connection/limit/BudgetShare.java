package dev.keelson.http.connection.limit;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one body in the budget. They count until the request has ended and its thread has
 * let go of them, whichever comes last: a client that goes away while its body waits for its turn
 * does not make room for another. Safe for use by several threads.
 */
public final class BudgetShare {

  private final BodyBudget budget;

  /** Guards the fields below. */
  private final ReentrantLock lock = new ReentrantLock();

  private long bytes;
  private boolean held;
  private boolean ended;

  /** Null until the bytes are those of a user. */
  private BodyBudget.@Nullable Account account;

  /** Of a body that has no bytes yet. */
  public BudgetShare(BodyBudget budget) {
    this.budget = budget;
  }

  /** Takes further bytes; false if there are too few left. */
  public boolean take(long more) {
    lock.lock();
    try {
      if (!budget.take(more, account)) {
        return false;
      }
      bytes += more;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes the body that of an owner.
   *
   * @param complete whether no bytes follow: then a small body stays nobody's
   * @return false if the owner has too many bytes
   */
  public boolean claim(BodyBudget.Owner owner, boolean complete) {
    lock.lock();
    try {
      if (account == null && !ended && !(complete && bytes <= BodyBudget.SMALL_BYTES)) {
        long waiting = complete ? 0 : BodyBudget.WAITING_BYTES;
        account = budget.claim(owner, bytes, waiting);
        if (account == null) {
          return false;
        }
        bytes += waiting;
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** The request's thread has the bytes; false if the request has ended before. */
  public boolean hold() {
    lock.lock();
    try {
      held = !ended;
      return held;
    } finally {
      lock.unlock();
    }
  }

  /** The request's thread has the bytes no more. */
  public void letGo() {
    lock.lock();
    try {
      held = false;
      giveIfFree();
    } finally {
      lock.unlock();
    }
  }

  /** The request is complete, or its client is gone; no bytes follow. */
  public void end() {
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
      budget.give(bytes, account);
      bytes = 0;
      if (account != null) {
        budget.leave(account);
        account = null;
      }
    }
  }
}
