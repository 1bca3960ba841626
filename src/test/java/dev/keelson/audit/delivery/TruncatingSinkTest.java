package dev.keelson.audit.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.audit.Acceptance;
import dev.keelson.audit.AuditMode;
import dev.keelson.audit.CountedMetrics;
import dev.keelson.audit.EventWriter;
import dev.keelson.audit.Events;
import dev.keelson.audit.event.Event;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TruncatingSinkTest {

  private final CountedMetrics metrics = new CountedMetrics();
  private final List<Event> taken = new ArrayList<>();
  private final TruncatingSink sink =
      new TruncatingSink(
          new BlockingSink(new Taker(taken), AuditMode.BLOCKING_STRICT, metrics), 1000, metrics);

  @Test
  void smallEvent_passesAsItIs() {
    Event event = Events.withResponse("a", 100);

    assertThat(sink.accept(event)).isEqualTo(Acceptance.ACCEPTED);

    assertThat(taken).containsExactly(event);
  }

  @Test
  void largeEvent_losesItsObjects() {
    assertThat(sink.accept(Events.withResponse("a", 1000))).isEqualTo(Acceptance.ACCEPTED);

    assertThat(new String(taken.getFirst().json(), StandardCharsets.UTF_8))
        .contains("\"audit.k8s.io/truncated\":\"true\"")
        .doesNotContain("responseObject");
  }

  @Test
  void eventThatIsStillTooLarge_isDroppedAndCounted() {
    assertThat(sink.accept(Events.named("a".repeat(1000)))).isEqualTo(Acceptance.ACCEPTED);
    assertThat(sink.accept(Events.withResponse("a".repeat(1000), 10)))
        .isEqualTo(Acceptance.ACCEPTED);

    assertThat(taken).isEmpty();
    assertThat(metrics.errors).containsEntry("truncate", 2);
  }

  private record Taker(List<Event> taken) implements EventWriter {
    @Override
    public String name() {
      return "taker";
    }

    @Override
    public void write(List<Event> events) {
      taken.addAll(events);
    }

    @Override
    public void close() {}
  }
}
