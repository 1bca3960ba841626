package dev.keelson.client.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.keelson.client.rest.ApiTransport.Answer;
import dev.keelson.client.rest.ApiTransport.EventStream;
import dev.keelson.client.rest.ApiTransport.Request;
import dev.keelson.client.rest.ApiTransport.TimeLimit;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class RateLimitedTransportTest {

  private static final ApiTransport NONE =
      new ApiTransport() {
        @Override
        public Answer send(Request request) {
          return new Answer(200, new byte[0]);
        }

        @Override
        public Answer send(Request request, TimeLimit limit) throws IOException {
          assertThat(limit.remaining()).isPositive();
          return send(request);
        }

        @Override
        public EventStream watch(Request request) {
          throw new UnsupportedOperationException();
        }
      };

  private final AtomicLong nanos = new AtomicLong(-7);

  @Test
  void reserve_beyondTheBurst_waitsForTheRate() {
    RateLimitedTransport limited = new RateLimitedTransport(NONE, 20, 30, nanos::get);
    for (int i = 0; i < 30; i++) {
      assertThat(limited.reserve()).isZero();
    }

    assertThat(limited.reserve()).isEqualTo(50_000_000);
    assertThat(limited.reserve()).isEqualTo(100_000_000);
    nanos.addAndGet(1_000_000_000);
    assertThat(limited.reserve()).isZero();
  }

  @Test
  void reserve_afterALongPause_allowsTheBurstAgainAndNoMore() {
    RateLimitedTransport limited = new RateLimitedTransport(NONE, 1, 2, nanos::get);
    nanos.addAndGet(1_000_000_000_000L);

    assertThat(limited.reserve()).isZero();
    assertThat(limited.reserve()).isZero();
    assertThat(limited.reserve()).isEqualTo(1_000_000_000);
  }

  @Test
  void send_thatWaitsForTheRate_asksTheLimitAfterTheWait() throws Exception {
    RateLimitedTransport limited = new RateLimitedTransport(NONE, 1_000, 1, System::nanoTime);
    Request write = Request.of("DELETE", "/api/v1/namespaces/x/pods/y", Map.of());
    long begin = System.nanoTime();
    AtomicLong asked = new AtomicLong();
    for (int i = 0; i < 20; i++) {
      Answer unused =
          limited.send(
              write,
              () -> {
                asked.set(System.nanoTime());
                return Duration.ofSeconds(1);
              });
    }

    assertThat(asked.get() - begin).isGreaterThanOrEqualTo(Duration.ofMillis(19).toNanos());
    assertThatIOException()
        .isThrownBy(
            () ->
                limited.send(
                    write,
                    () -> {
                      throw new IOException("too late");
                    }))
        .withMessage("too late");
  }

  @Test
  void rate_thatIsNone_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RateLimitedTransport(NONE, 0, 1, nanos::get))
        .withMessage("rate 0.0, burst 1");
  }
}
