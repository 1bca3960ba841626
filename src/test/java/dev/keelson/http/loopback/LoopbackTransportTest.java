package dev.keelson.http.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.keelson.client.rest.ApiTransport.Request;
import dev.keelson.request.UserInfo;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Requests with a limit to a server that stalls. */
final class LoopbackTransportTest {

  @Test
  void requestWithALimit_isWithdrawnInTime() throws Exception {
    CountDownLatch withdrawn = new CountDownLatch(1);
    LoopbackTransport transport =
        new LoopbackTransport(
            exchange -> {
              try {
                // as a store that stalls
                Thread.sleep(Duration.ofMinutes(10));
              } catch (InterruptedException e) {
                withdrawn.countDown();
              }
              throw new IllegalStateException("nobody waits for this");
            },
            new UserInfo("u", "", List.of(), Map.of()),
            "test",
            Duration.ofMinutes(1),
            UUID::randomUUID);
    Request write = Request.of("DELETE", "/api/v1/namespaces/x/pods/y", Map.of());

    assertThatIOException()
        .isThrownBy(() -> transport.send(write, () -> Duration.ofMillis(100)))
        .withMessage("no response within PT0.1S");
    assertThat(withdrawn.await(60, TimeUnit.SECONDS)).isTrue();
  }
}
