package dev.keelson.audit.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.audit.Events;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WebhookWriterTest {

  private final List<String> posts = new ArrayList<>();
  private int failures;

  @Test
  void events_arePostedAsAList() throws IOException {
    writer(Duration.ZERO).write(List.of(Events.named("a"), Events.named("b")));

    assertThat(posts)
        .singleElement()
        .asString()
        .startsWith("{\"kind\":\"EventList\",\"apiVersion\":\"audit.k8s.io/v1\"")
        .contains("\"auditID\":\"a\"", "\"auditID\":\"b\"");
  }

  @Test
  void anyFailure_isTriedAgain() throws IOException {
    failures = 4;

    writer(Duration.ZERO).write(List.of(Events.named("a")));

    assertThat(posts).hasSize(5).containsOnly(posts.getFirst());
  }

  @Test
  void fifthFailure_isTheLast() {
    failures = 5;

    assertThatThrownBy(() -> writer(Duration.ZERO).write(List.of(Events.named("a"))))
        .hasMessage("attempt 5");
    assertThat(posts).hasSize(5);
  }

  @Test
  void interrupt_endsThePause() {
    failures = 5;

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> writer(Duration.ofDays(1)).write(List.of(Events.named("a"))))
        .hasMessage("attempt 1");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void pauses_growByHalf_withAFifthAtRandom() {
    BackOff least = new BackOff(Duration.ofSeconds(10), () -> 0);
    BackOff most = new BackOff(Duration.ofSeconds(10), () -> 1);

    assertThat(least.after(1)).isEqualTo(Duration.ofSeconds(10));
    assertThat(least.after(2)).isEqualTo(Duration.ofSeconds(15));
    assertThat(least.after(3)).isEqualTo(Duration.ofMillis(22_500));
    assertThat(most.after(1)).isEqualTo(Duration.ofSeconds(12));
  }

  private WebhookWriter writer(Duration initial) {
    return new WebhookWriter("webhook", this::post, new BackOff(initial, () -> 0));
  }

  private void post(byte[] json) throws IOException {
    posts.add(new String(json, StandardCharsets.UTF_8));
    if (posts.size() <= failures) {
      throw new IOException("attempt " + posts.size());
    }
  }
}
