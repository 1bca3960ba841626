package dev.keelson.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RequestContextTest {

  private final RequestContext context =
      new RequestContext(new UserInfo("u", "", List.of(), Map.of()), "a");

  @Test
  void warnings_areToldOnce_andEmptyOnesNot() {
    context.warn("a");
    context.warn("");
    context.warn("b");
    context.warn("a");

    assertThat(context.warnings()).containsExactly("a", "b");
  }

  @Test
  void warnings_withinTheTotal_areWhole() {
    context.warn("x".repeat(4096));

    assertThat(context.warnings()).containsExactly("x".repeat(4096));
  }

  @Test
  void warnings_beyondTheTotal_areCut_andThenLeftOut() {
    context.warn("x".repeat(4000));
    for (int i = 0; i < 100; i++) {
      context.warn(i + "y".repeat(300));
    }

    assertThat(context.warnings())
        .hasSize(16)
        .allSatisfy(warning -> assertThat(warning).hasSize(256))
        .startsWith("x".repeat(256));
  }

  @Test
  void warningsUpToTheOneBeyondTheTotal_areAllShown() {
    for (int i = 10; i < 40; i++) {
      context.warn(i + "y".repeat(248));
    }

    assertThat(context.warnings())
        .hasSize(17)
        .allSatisfy(warning -> assertThat(warning).hasSize(250));
  }

  @Test
  void warningsWithControlCharacters_areDropped() {
    context.warn("a\nb");
    context.warn("a\u0085b");
    context.warn("d\u00e9j\u00e0 vu");

    assertThat(context.warnings()).containsExactly("d\u00e9j\u00e0 vu");
  }

  @Test
  void firstAnnotationOfAKey_stays_evenIfItIsEmpty() {
    context.received(Instant.EPOCH);

    context.annotate("foo", "bar");
    context.annotate("foo", "baz");
    context.annotate("qux", "");
    context.annotate("qux", "baz");

    assertThat(context.annotations())
        .containsExactly(Map.entry("foo", "bar"), Map.entry("qux", ""));
  }

  @Test
  void annotations_beforeARequestIsAudited_areDropped() {
    context.annotate("nil", "0");
    context.received(Instant.EPOCH);
    context.annotate("after", "1");

    assertThat(context.annotations()).containsExactly(Map.entry("after", "1"));
  }

  @Test
  void annotationsOfSeveralThreads_areAllThere() throws InterruptedException {
    context.received(Instant.EPOCH);
    context.annotate("k0", "existing");
    List<Thread> threads =
        IntStream.range(0, 10)
            .mapToObj(i -> Thread.startVirtualThread(() -> context.annotate("k" + i, "value")))
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(context.annotations()).hasSize(10).containsEntry("k0", "existing");
  }
}
