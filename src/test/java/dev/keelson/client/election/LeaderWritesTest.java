package dev.keelson.client.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.keelson.client.rest.ApiTransport;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The writes of a term, through a transport of a leader. */
final class LeaderWritesTest {

  private static final ApiTransport.Request READ =
      ApiTransport.Request.of("GET", "/api/v1/pods", Map.of());
  private static final ApiTransport.Request WRITE =
      ApiTransport.Request.of("DELETE", "/api/v1/namespaces/x/pods/y", Map.of());

  private volatile Duration left = Duration.ofSeconds(7);
  private final LeaderWrites writes = new LeaderWrites(() -> left);

  /** Sends a request with the time that it may take. */
  @FunctionalInterface
  private interface Sending {
    int send(Duration limit) throws IOException, InterruptedException;
  }

  private ApiTransport leader(Sending server) {
    return new LeaderTransport(
        new ApiTransport() {
          @Override
          public Answer send(Request request) throws IOException, InterruptedException {
            return new Answer(server.send(Duration.ZERO), new byte[0]);
          }

          @Override
          public Answer send(Request request, TimeLimit limit)
              throws IOException, InterruptedException {
            return new Answer(server.send(limit.remaining()), new byte[0]);
          }

          @Override
          public EventStream watch(Request request) {
            throw new UnsupportedOperationException();
          }
        },
        writes);
  }

  @Test
  void write_mayTakeWhatIsLeft_andAReadAnyTime() throws Exception {
    ApiTransport transport = leader(limit -> (int) limit.toSeconds());

    assertThat(transport.send(WRITE).status()).isEqualTo(7);
    left = Duration.ZERO;
    assertThat(transport.send(READ).status()).isZero();
    assertThatIOException()
        .isThrownBy(() -> transport.send(WRITE))
        .withMessage("this process is not the leader any more");
  }

  @Test
  void limit_isAskedWhenTheRequestLeaves() throws Exception {
    ApiTransport.TimeLimit begun = writes.begin();
    left = Duration.ofSeconds(3);
    Duration later = begun.remaining();
    writes.end();

    assertThat(later).isEqualTo(Duration.ofSeconds(3));
    assertThatIOException().isThrownBy(begun::remaining);
  }

  @Test
  void settled_onlyWhenEveryWriteHasItsAnswer() throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    ApiTransport transport =
        leader(
            _ -> {
              sent.countDown();
              answer.await();
              return 200;
            });
    Thread writer =
        Thread.startVirtualThread(
            () -> {
              try {
                ApiTransport.Answer unused = transport.send(WRITE);
              } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    sent.await();
    writes.end();
    writes.awaitNone(Duration.ofMillis(1));
    boolean early = writes.settled();
    answer.countDown();
    writes.awaitNone(Duration.ofMinutes(1));
    writer.join();

    assertThat(early).isFalse();
    assertThat(writes.settled()).isTrue();
  }

  @Test
  void writeWithoutAnswer_mayStillBeDone() throws Exception {
    ApiTransport transport =
        leader(
            _ -> {
              throw new IOException("connection reset");
            });

    assertThatIOException().isThrownBy(() -> transport.send(WRITE));

    assertThat(writes.settled()).isFalse();
  }

  @Test
  void serverThatDoesNotKnow_mayStillDoIt() throws Exception {
    ApiTransport.Answer unused = leader(_ -> 504).send(WRITE);

    assertThat(writes.settled()).isFalse();
  }

  @Test
  void refusedWrite_isSettled() throws Exception {
    ApiTransport.Answer unused = leader(_ -> 409).send(WRITE);

    assertThat(writes.settled()).isTrue();
  }
}
