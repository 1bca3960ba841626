package dev.keelson.server.lifecycle;

import dev.keelson.http.health.HealthCheck;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts the requests in flight and delays the shutdown until they are complete. The state goes
 * from open to leaving (not ready, all requests are served) to closed (new requests are rejected),
 * never back. The lock guards the state and the count; no other lock is taken under it.
 */
public final class GracefulShutdown implements HealthCheck {

  private enum State {
    OPEN,
    LEAVING,
    CLOSED
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private State state = State.OPEN;
  private int running;

  /** Begins a request; false if it must be rejected. */
  public boolean enter() {
    lock.lock();
    try {
      if (state == State.CLOSED) {
        return false;
      }
      running++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the server is shutting down. */
  public boolean leaving() {
    lock.lock();
    try {
      return state != State.OPEN;
    } finally {
      lock.unlock();
    }
  }

  /** Ends a request that {@link #enter} accepted. */
  public void leave() {
    lock.lock();
    try {
      running--;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Shuts down: not ready immediately, closed after {@code delay}, then waits until no request is
   * in flight, at most {@code grace}. An interrupt ends the wait.
   *
   * @param closed runs once, when new requests are rejected
   * @return the number of requests still in flight
   */
  public int run(Duration delay, Runnable closed, Duration grace) {
    boolean interrupted = await(State.LEAVING, delay, /* idle= */ false);
    enter(State.CLOSED);
    closed.run();
    if (interrupted || await(State.CLOSED, grace, /* idle= */ true)) {
      Thread.currentThread().interrupt();
    }
    return running();
  }

  private void enter(State next) {
    lock.lock();
    try {
      state = next;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits in a state.
   *
   * @param idle whether to wait no longer than until no request is in flight
   * @return whether the wait was interrupted
   */
  private boolean await(State next, Duration time, boolean idle) {
    lock.lock();
    try {
      state = next;
      long left = TimeUnit.NANOSECONDS.convert(time);
      while (left > 0 && !(idle && running == 0)) {
        left = changed.awaitNanos(left);
      }
      return false;
    } catch (InterruptedException e) {
      return true;
    } finally {
      lock.unlock();
    }
  }

  private int running() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String name() {
    return "shutdown";
  }

  @Override
  public Optional<String> failure() {
    lock.lock();
    try {
      return state == State.OPEN ? Optional.empty() : Optional.of("process is shutting down");
    } finally {
      lock.unlock();
    }
  }
}
