package dev.keelson.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.audit.event.Event;
import dev.keelson.audit.event.JsonDocument;
import dev.keelson.audit.event.Level;
import dev.keelson.audit.event.ObjectIdentity;
import dev.keelson.audit.event.ResponseStatus;
import dev.keelson.audit.event.Stage;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.testing.ManualClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AuditorTest {

  private static final RequestInfo CREATE =
      RequestInfoResolver.parse("POST", "/api/v1/namespaces/ns/pods", Map.of());
  private static final String POD =
      "{\"metadata\": {\"name\":\"p\",\"managedFields\":[]},\"spec\":{}}";

  private final CountedMetrics metrics = new CountedMetrics();
  private final ManualClock clock = new ManualClock();
  private final AtomicInteger factsMade = new AtomicInteger();

  @Test
  void requestThatThePolicyDoesNotName_buildsNothing() {
    Recorder sink = new Recorder();

    AuditedRequest request = begin(List.of(), route(Level.NONE, sink));

    assertThat(request).isNull();
    assertThat(factsMade).hasValue(0);
    assertThat(metrics.levels).containsEntry(Level.NONE, 1);
  }

  @Test
  void stages_generateEventsWithWhatIsKnownByThen() {
    Recorder sink = new Recorder();
    AuditedRequest request = begun(List.of(), route(Level.METADATA, sink));

    request.stage(Stage.REQUEST_RECEIVED, Map.of());
    request.requestObject(new Json(POD));
    request.responded(ResponseStatus.of(201));
    request.responseObject(new Json(POD));
    request.stage(Stage.RESPONSE_COMPLETE, Map.of("k", "v"));

    assertThat(sink.events).hasSize(2);
    Event received = sink.events.getFirst();
    assertThat(received.fields().stageTime()).isEqualTo(Events.TIME);
    assertThat(received.fields().responseStatus()).isNull();
    Event complete = sink.events.getLast();
    assertThat(complete.fields().stageTime()).isEqualTo(clock.instant());
    assertThat(text(complete))
        .contains(
            "\"objectRef\":{\"resource\":\"pods\",\"namespace\":\"ns\",\"name\":\"p\"",
            "\"code\":201",
            "\"annotations\":{\"k\":\"v\"}")
        .doesNotContain("requestObject", "responseObject");
    assertThat(metrics.events).hasValue(2);
  }

  @Test
  void omittedStage_generatesNothing() {
    Recorder sink = new Recorder();
    sink.answer = Acceptance.REFUSED;
    AuditPolicy policy =
        (user, info) -> new AuditConfig(Level.METADATA, Set.of(Stage.REQUEST_RECEIVED), false);
    AuditedRequest request = begun(List.of(), new Route(policy, sink));

    Acceptance acceptance = request.stage(Stage.REQUEST_RECEIVED, Map.of());

    assertThat(acceptance).isEqualTo(Acceptance.ACCEPTED);
    assertThat(sink.events).isEmpty();
    assertThat(metrics.events).hasValue(0);
  }

  @Test
  void eachSink_getsItsOwnLevel_andThoseOfOneLevelShareTheEvent() {
    Recorder metadata = new Recorder();
    Recorder first = new Recorder();
    Recorder second = new Recorder();
    AuditedRequest request =
        begun(
            List.of(route(Level.REQUEST_RESPONSE, first), route(Level.REQUEST_RESPONSE, second)),
            route(Level.METADATA, metadata));

    request.requestObject(new Json(POD));
    request.responseObject(new Json("{ }"));
    request.stage(Stage.RESPONSE_COMPLETE, Map.of());

    assertThat(text(metadata.events.getFirst()))
        .contains("\"level\":\"Metadata\"")
        .doesNotContain("requestObject");
    assertThat(text(first.events.getFirst()))
        .contains("\"level\":\"RequestResponse\"")
        .contains("\"requestObject\":{\"metadata\":{\"name\":\"p\",\"managedFields\":[]},")
        .contains("\"responseObject\":{}");
    assertThat(second.events.getFirst()).isSameAs(first.events.getFirst());
    assertThat(metrics.events).hasValue(1);
  }

  @Test
  void managedFields_areOmittedFromObjectsButNotFromPatches() {
    Recorder sink = new Recorder();
    AuditPolicy policy = (user, info) -> new AuditConfig(Level.REQUEST, Set.of(), true);
    AuditedRequest object = begun(List.of(), new Route(policy, sink));
    object.requestObject(new Json(POD));
    object.stage(Stage.RESPONSE_COMPLETE, Map.of());
    AuditedRequest patch = begun(List.of(), new Route(policy, sink));
    patch.patch(new Json(POD));
    patch.stage(Stage.RESPONSE_COMPLETE, Map.of());

    assertThat(text(sink.events.getFirst()))
        .contains("\"requestObject\":{\"metadata\":{\"name\":\"p\"},\"spec\":{}}");
    assertThat(text(sink.events.getLast())).contains("managedFields");
  }

  @Test
  void refusalOfOneSink_isARefusal() {
    Recorder strict = new Recorder();
    strict.answer = Acceptance.REFUSED;
    Recorder other = new Recorder();
    AuditedRequest request =
        begun(List.of(route(Level.METADATA, other)), route(Level.METADATA, strict));

    assertThat(request.stage(Stage.REQUEST_RECEIVED, Map.of())).isEqualTo(Acceptance.REFUSED);
    assertThat(other.events).hasSize(1);
  }

  @Test
  void sinksThatComeAtRunTime_getEventsWithoutConfiguredOnes() {
    Recorder sink = new Recorder();

    AuditedRequest request = begun(List.of(route(Level.METADATA, sink)), null);

    request.stage(Stage.REQUEST_RECEIVED, Map.of());
    assertThat(sink.events).hasSize(1);
    assertThat(metrics.levels).isEmpty();
  }

  /** A request that some sink wants. */
  private AuditedRequest begun(List<Route> routes, @Nullable Route configured) {
    return Objects.requireNonNull(begin(routes, configured));
  }

  private @Nullable AuditedRequest begin(List<Route> dynamic, @Nullable Route configured) {
    Auditor auditor = new Auditor(configured, () -> dynamic, metrics, clock);
    return auditor.begin(
        null,
        CREATE,
        () -> {
          factsMade.incrementAndGet();
          return Events.facts("id");
        });
  }

  private static Route route(Level level, EventSink sink) {
    return new Route((user, info) -> new AuditConfig(level, Set.of(), false), sink);
  }

  private static String text(Event event) {
    return new String(event.json(), StandardCharsets.UTF_8);
  }

  private record Json(String text) implements ObjectSource {
    @Override
    public byte[] json() {
      return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public ObjectIdentity identity() {
      return JsonDocument.identity(json());
    }
  }

  private static final class Recorder implements EventSink {
    private final List<Event> events = new ArrayList<>();
    private Acceptance answer = Acceptance.ACCEPTED;

    @Override
    public Acceptance accept(Event event) {
      events.add(event);
      return answer;
    }

    @Override
    public void start() {}

    @Override
    public void stop(Duration grace) {}
  }
}
