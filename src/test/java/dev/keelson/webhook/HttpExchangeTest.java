package dev.keelson.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.IdentityProvider;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HttpExchangeTest {

  @Test
  void send_whileTheCommonPoolIsBusy_completes() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    try (IdentityProvider server = new IdentityProvider()) {
      server.path("/answer", exchange -> "{}");
      for (int i = 0; i < ForkJoinPool.getCommonPoolParallelism(); i++) {
        Future<?> unused =
            ForkJoinPool.commonPool()
                .submit(
                    () -> {
                      end.await();
                      return null;
                    });
      }
      HttpClient client = HttpClient.newBuilder().sslContext(server.trust()).build();

      assertThat(
              HttpExchange.send(
                      client,
                      HttpRequest.newBuilder(URI.create(server.url() + "/answer")).build(),
                      Duration.ofSeconds(30),
                      100)
                  .statusCode())
          .isEqualTo(200);
    } finally {
      end.countDown();
    }
  }
}
