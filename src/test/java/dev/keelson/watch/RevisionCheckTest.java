package dev.keelson.watch;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RevisionCheckTest {

  /** The requests that the store has received and not answered, in their order. */
  private final BlockingQueue<CompletableFuture<Long>> received = new LinkedBlockingQueue<>();

  private final ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor();
  private final RevisionCheck check =
      new RevisionCheck(
          () -> {
            CompletableFuture<Long> answer = new CompletableFuture<>();
            received.add(answer);
            return answer.join();
          },
          Duration.ofMinutes(10));

  @AfterEach
  void endReaders() {
    readers.shutdownNow();
  }

  private Future<Long> read() {
    return readers.submit(check::next);
  }

  private CompletableFuture<Long> request() throws InterruptedException {
    CompletableFuture<Long> request = received.poll(1, TimeUnit.MINUTES);
    assertThat(request).as("a request of the store").isNotNull();
    return request;
  }

  private List<Future<Long>> waitingReaders(int count) {
    List<Future<Long>> all = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      all.add(read());
      int waiting = i;
      assertEventually(() -> assertThat(check.waiting()).isEqualTo(waiting));
    }
    return all;
  }

  @Test
  void next_duringARequest_sendsAnotherAtOnce() throws Exception {
    Future<Long> first = read();
    CompletableFuture<Long> firstRequest = request();

    Future<Long> second = read();
    CompletableFuture<Long> secondRequest = request();
    secondRequest.complete(8L);

    assertThat(second.get()).isEqualTo(8);
    assertThat(first.isDone()).isFalse();
    firstRequest.complete(7L);
    assertThat(first.get()).isEqualTo(7);
  }

  @Test
  void next_duringTwoRequests_sharesTheOneAfterThem() throws Exception {
    Future<Long> first = read();
    CompletableFuture<Long> firstRequest = request();
    Future<Long> second = read();
    CompletableFuture<Long> secondRequest = request();
    List<Future<Long>> others = waitingReaders(5);
    assertThat(received).isEmpty();

    firstRequest.complete(7L);
    CompletableFuture<Long> shared = request();
    secondRequest.complete(8L);
    shared.complete(9L);

    assertThat(first.get()).isEqualTo(7);
    assertThat(second.get()).isEqualTo(8);
    for (Future<Long> other : others) {
      assertThat(other.get()).isEqualTo(9);
    }
    assertThat(received).isEmpty();
  }

  @Test
  void next_whenTheStoreFails_failsForThoseOfThatRequestAlone() throws Exception {
    Future<Long> first = read();
    CompletableFuture<Long> firstRequest = request();
    Future<Long> second = read();
    CompletableFuture<Long> secondRequest = request();
    List<Future<Long>> others = waitingReaders(2);

    firstRequest.completeExceptionally(new StorageException.Unavailable("away", null));
    request().complete(9L);
    secondRequest.complete(8L);

    assertThatThrownBy(first::get)
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseInstanceOf(StorageException.Unavailable.class);
    assertThat(second.get()).isEqualTo(8);
    for (Future<Long> other : others) {
      assertThat(other.get()).isEqualTo(9);
    }
  }

  @Test
  void next_afterARequestOfMany_waitsForTheIntervalAndShares() throws Exception {
    requestOfMany();

    Future<Long> leader = read();
    assertEventually(() -> assertThat(check.waiting()).isEqualTo(1));
    List<Future<Long>> others = List.of(read(), read());
    assertEventually(() -> assertThat(check.waiting()).isEqualTo(3));

    assertThat(received).isEmpty();
    assertThat(leader.isDone()).isFalse();
    assertThat(others).noneMatch(Future::isDone);
  }

  @Test
  void next_whenTheLeaderIsInterrupted_asksAgainForTheOthers() throws Exception {
    requestOfMany();
    CompletableFuture<Thread> leader = new CompletableFuture<>();
    Future<Long> interrupted =
        readers.submit(
            () -> {
              leader.complete(Thread.currentThread());
              return check.next();
            });
    assertEventually(() -> assertThat(check.waiting()).isEqualTo(1));
    List<Future<Long>> others = List.of(read(), read());
    assertEventually(() -> assertThat(check.waiting()).isEqualTo(3));

    leader.get().interrupt();
    request().completeExceptionally(new StorageException.Unavailable("interrupted", null));
    // one request of both, or one each
    request().complete(9L);
    assertEventually(
        () -> {
          CompletableFuture<Long> another = received.poll();
          if (another != null) {
            another.complete(9L);
          }
          assertThat(others).allMatch(Future::isDone);
        });

    assertThatThrownBy(interrupted::get).hasRootCauseInstanceOf(InterruptedException.class);
    for (Future<Long> other : others) {
      assertThat(other.get()).isEqualTo(9);
    }
  }

  /** Lets many share a request, after which the next one waits for the interval. */
  private void requestOfMany() throws Exception {
    Future<Long> first = read();
    CompletableFuture<Long> firstRequest = request();
    Future<Long> second = read();
    CompletableFuture<Long> secondRequest = request();
    List<Future<Long>> many = waitingReaders(RevisionCheck.MANY);
    firstRequest.complete(1L);
    secondRequest.complete(2L);
    request().complete(3L);
    assertThat(first.get()).isEqualTo(1);
    assertThat(second.get()).isEqualTo(2);
    for (Future<Long> each : many) {
      assertThat(each.get()).isEqualTo(3);
    }
  }

  /** A store tells the revision that it had when the request began: the oldest one allowed. */
  @Test
  void next_byManyThreads_isNeverOlderThanItsCall() throws Exception {
    AtomicLong revision = new AtomicLong(1);
    AtomicInteger inFlight = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger requests = new AtomicInteger();
    RevisionCheck busy =
        new RevisionCheck(
            () -> {
              long told = revision.get();
              requests.incrementAndGet();
              most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
              LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(200_000));
              inFlight.decrementAndGet();
              return told;
            },
            Duration.ofNanos(100_000));
    int threads = 16;
    int turns = 200;
    List<Future<?>> loops = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      loops.add(
          readers.submit(
              () -> {
                for (int turn = 0; turn < turns; turn++) {
                  long written = revision.incrementAndGet();
                  assertThat(busy.next()).isGreaterThanOrEqualTo(written);
                }
                return null;
              }));
    }

    for (Future<?> loop : loops) {
      loop.get();
    }

    assertThat(most.get()).isLessThanOrEqualTo(RevisionCheck.AT_ONCE);
    assertThat(inFlight.get()).isZero();
    assertThat(requests.get()).isLessThan(threads * turns);
    assertThat(busy.waiting()).isZero();
  }
}
