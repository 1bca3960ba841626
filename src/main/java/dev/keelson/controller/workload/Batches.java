package dev.keelson.controller.workload;

import dev.keelson.api.ApiException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs calls side by side. */
public final class Batches {

  private Batches() {}

  /** A call of the API. */
  @FunctionalInterface
  public interface Call {
    void run() throws InterruptedException;
  }

  /** A call of the API for a value. */
  @FunctionalInterface
  public interface CallFor<T> {
    void run(T value) throws InterruptedException;
  }

  /**
   * Runs a call a number of times, in batches of 1, 2, 4, and so on, which end with the first that
   * fails, so that a server that refuses them all gets few (source: Kubernetes' {@code
   * slowStartBatch}).
   *
   * @param failures gets the errors
   * @return how many were successful
   */
  public static int slowStart(int count, Call call, List<ApiException> failures)
      throws InterruptedException {
    int done = 0;
    for (int batch = 1; done < count && failures.isEmpty(); batch *= 2) {
      int size = Math.min(batch, count - done);
      done += all(Collections.nCopies(size, call), Call::run, failures);
    }
    return done;
  }

  /**
   * Runs a call for each value and waits for all.
   *
   * @param failures gets the errors
   * @return how many were successful
   */
  public static <T> int all(Collection<T> values, CallFor<T> call, List<ApiException> failures)
      throws InterruptedException {
    AtomicInteger done = new AtomicInteger();
    List<ApiException> failed = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (T value : values) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                try {
                  call.run(value);
                  int unused = done.incrementAndGet();
                } catch (ApiException e) {
                  failed.add(e);
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }));
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      threads.forEach(Thread::interrupt);
      throw e;
    }
    failures.addAll(failed);
    return done.get();
  }
}
