package dev.keelson.controller.event;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.controller.event.EventCorrelator.Correlated;
import dev.keelson.controller.event.EventCorrelator.Draft;
import dev.keelson.controller.event.EventCorrelator.Stored;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Cases of client-go's {@code events_cache_test.go}. */
final class EventCorrelatorTest {

  private final AtomicLong nanos = new AtomicLong();
  private final EventCorrelator correlator = new EventCorrelator(nanos::get);
  private int created;

  private static Draft event(String object, String text) {
    return new Draft(
        "replicaset-controller",
        "",
        ObjectReference.of("apps/v1", "ReplicaSet", "default", object, "uid-" + object),
        "Warning",
        "FailedCreate",
        text);
  }

  /** Correlates an Event and remembers it as stored if it is new. */
  private @Nullable Correlated send(Draft event) {
    Correlated result = correlator.correlate(event);
    if (result != null && result.earlier() == null) {
      created++;
      correlator.created(result, new Stored("event-" + created));
    }
    return result;
  }

  private Correlated accepted(Draft event) {
    return requireNonNull(send(event));
  }

  @Test
  void sameEvent_isCounted() {
    accepted(event("web", "no"));
    accepted(event("web", "no"));
    Correlated third = accepted(event("web", "no"));

    assertThat(created).isEqualTo(1);
    Stored earlier = requireNonNull(third.earlier());
    assertThat(earlier.name).isEqualTo("event-1");
    assertThat(earlier.count).isEqualTo(3);
  }

  @Test
  void tenthSimilarEvent_isCombined() {
    for (int i = 0; i < 9; i++) {
      assertThat(accepted(event("web", "no " + i)).draft().text()).isEqualTo("no " + i);
    }
    Correlated tenth = accepted(event("web", "no 9"));
    Correlated next = accepted(event("web", "no 10"));

    assertThat(tenth.draft().text()).isEqualTo("(combined from similar events): no 9");
    assertThat(tenth.earlier()).isNull();
    assertThat(next.draft().text()).isEqualTo("(combined from similar events): no 10");
    assertThat(next.earlier()).isNotNull();
    assertThat(created).isEqualTo(10);
  }

  @Test
  void similarEvents_afterTenMinutes_areNew() {
    for (int i = 0; i < 10; i++) {
      accepted(event("web", "no " + i));
    }
    nanos.addAndGet(Duration.ofSeconds(601).toNanos());

    assertThat(accepted(event("web", "no 11")).draft().text()).isEqualTo("no 11");
  }

  @Test
  void objectWithTooManyEvents_isSilencedUntilTheBucketIsRefilled() {
    for (int i = 0; i < 25; i++) {
      accepted(event("web", "no"));
    }

    assertThat(send(event("web", "no"))).isNull();
    assertThat(send(event("db", "no"))).isNotNull();
    nanos.addAndGet(Duration.ofMinutes(5).toNanos());
    Correlated after = accepted(event("web", "no"));
    assertThat(requireNonNull(after.earlier()).count).isEqualTo(27);
    assertThat(send(event("web", "no"))).isNull();
  }

  @Test
  void eventThatIsGone_isCreatedAgain() {
    Correlated first = accepted(event("web", "no"));
    correlator.gone(first);

    assertThat(accepted(event("web", "no")).earlier()).isNull();
  }
}
