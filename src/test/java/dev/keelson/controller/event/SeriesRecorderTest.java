package dev.keelson.controller.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiTransport;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/**
 * Cases of client-go's {@code tools/events/eventseries_test.go} and {@code
 * event_broadcaster_test.go}.
 */
final class SeriesRecorderTest {

  private static final Instant BEGIN = Instant.parse("2026-01-02T03:04:05.123456789Z");

  private final List<ApiTransport.Request> requests = new ArrayList<>();
  private Instant now = BEGIN;
  private int patchStatus = 200;
  private int createStatus = 201;

  /** More members of the Status of what is refused. */
  private String refusal = "";

  private final SeriesRecorder recorder =
      new SeriesRecorder(
          new ApiClient(new Server()), "default-scheduler", "host", () -> now, () -> 0);

  private final class Server implements ApiTransport {
    @Override
    public Answer send(Request request) {
      requests.add(request);
      int status = request.method().equals("PATCH") ? patchStatus : createStatus;
      String reason = status == 404 ? "NotFound" : status == 403 ? "Forbidden" : "";
      return new Answer(
          status,
          ("{\"kind\":\"Status\",\"reason\":\"" + reason + "\"" + refusal + "}")
              .getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Answer send(Request request, TimeLimit limit) {
      return send(request);
    }

    @Override
    public EventStream watch(Request request) {
      throw new UnsupportedOperationException();
    }
  }

  private static ObjectReference pod(String name, String version) {
    return new ObjectReference("v1", "Pod", "ns", name, "uid-" + name, version, "");
  }

  private void send(ObjectReference about, String note) throws InterruptedException {
    recorder.store(
        new SeriesEvent(about, null, "Warning", "FailedScheduling", "Scheduling", note, now));
  }

  private MapNode sent(int index) {
    return (MapNode) ObjectReader.untypedJson(requests.get(index).body());
  }

  private void pass(Duration time) {
    now = now.plus(time);
  }

  private static MapNode json(String text) {
    return (MapNode)
        ObjectReader.untypedJson(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void first_isCreatedInTheGroupOfEvents() throws Exception {
    recorder.store(
        new SeriesEvent(
            pod("victim", "7"),
            pod("pod", "8"),
            "Normal",
            "Preempted",
            "Preempting",
            "Preempted by pod",
            now));

    assertThat(requests.getFirst().path()).isEqualTo("/apis/events.k8s.io/v1/namespaces/ns/events");
    MapNode event = sent(0);
    assertThat(event.map("metadata").text("name")).matches("victim\\.[0-9a-f]{16}");
    assertThat(event.without("metadata"))
        .isEqualTo(
            json(
                "{'apiVersion':'events.k8s.io/v1','kind':'Event',"
                    + "'eventTime':'2026-01-02T03:04:05.123456Z',"
                    + "'reportingController':'default-scheduler',"
                    + "'reportingInstance':'default-scheduler-host','action':'Preempting',"
                    + "'reason':'Preempted','regarding':{'kind':'Pod','namespace':'ns',"
                    + "'name':'victim','uid':'uid-victim','apiVersion':'v1','resourceVersion':'7'},"
                    + "'note':'Preempted by pod','type':'Normal','related':{'kind':'Pod',"
                    + "'namespace':'ns','name':'pod','uid':'uid-pod','apiVersion':'v1',"
                    + "'resourceVersion':'8'}}"));
  }

  @Test
  void second_makesItASeries_whoseFurtherEventsAreCounted() throws Exception {
    send(pod("a", "7"), "no");
    String name = sent(0).map("metadata").text("name");
    pass(Duration.ofSeconds(1));
    send(pod("a", "7"), "another note");
    pass(Duration.ofSeconds(1));
    send(pod("a", "7"), "no");

    assertThat(requests).hasSize(2);
    assertThat(requests.get(1).method()).isEqualTo("PATCH");
    assertThat(requests.get(1).path())
        .isEqualTo("/apis/events.k8s.io/v1/namespaces/ns/events/" + name);
    assertThat(sent(1))
        .isEqualTo(json("{'series':{'count':2,'lastObservedTime':'2026-01-02T03:04:06.123456Z'}}"));

    recorder.refresh();
    recorder.refresh();

    assertThat(requests).hasSize(3);
    assertThat(sent(2))
        .isEqualTo(json("{'series':{'count':3,'lastObservedTime':'2026-01-02T03:04:07.123456Z'}}"));
  }

  @Test
  void eventAboutAnotherStateOfTheObject_isAnother() throws Exception {
    send(pod("a", "7"), "no");
    send(pod("a", "8"), "no");

    assertThat(requests).extracting(ApiTransport.Request::method).containsExactly("POST", "POST");
    assertThat(sent(0).map("metadata")).isNotEqualTo(sent(1).map("metadata"));
  }

  @Test
  void seriesThatEnds_isToldItsCount_andTheNextEventIsNew() throws Exception {
    send(pod("a", "7"), "no");
    send(pod("a", "7"), "no");
    send(pod("a", "7"), "no");
    send(pod("b", "7"), "no");
    pass(Duration.ofMinutes(6));
    recorder.finish();
    assertThat(requests).hasSize(3);

    pass(Duration.ofSeconds(1));
    recorder.finish();
    assertThat(requests).hasSize(4);
    assertThat(sent(3).map("series").get("count")).isEqualTo(new Node.Int(3));

    send(pod("a", "7"), "no");
    send(pod("b", "7"), "no");
    assertThat(requests.subList(4, 6))
        .extracting(ApiTransport.Request::method)
        .containsExactly("POST", "POST");
  }

  @Test
  void seriesWhoseEventIsGone_isCreated() throws Exception {
    send(pod("a", "7"), "no");
    patchStatus = 404;
    send(pod("a", "7"), "no");

    assertThat(requests)
        .extracting(ApiTransport.Request::method)
        .containsExactly("POST", "PATCH", "POST");
    assertThat(sent(2).map("metadata")).isEqualTo(sent(0).map("metadata"));
    assertThat(sent(2).map("series").get("count")).isEqualTo(new Node.Int(2));
  }

  @Test
  void eventThatIsRefused_isDropped() throws Exception {
    createStatus = 403;
    send(pod("a", "7"), "no");
    send(pod("b", "7"), "no");

    assertThat(requests).hasSize(2);
  }

  @Test
  void refusal_isAWarning_exceptWhereTheNamespaceGoes() throws Exception {
    List<String> warnings = new ArrayList<>();
    Logger log = Logger.getLogger(SeriesRecorder.class.getName());
    Handler handler = collecting(warnings);
    log.addHandler(handler);
    try {
      createStatus = 403;
      refusal = ",\"details\":{\"causes\":[{\"reason\":\"NamespaceTerminating\"}]}";
      send(pod("a", "7"), "no");
      assertThat(warnings).isEmpty();

      refusal = "";
      send(pod("b", "7"), "no");
      assertThat(warnings).hasSize(1);
    } finally {
      log.removeHandler(handler);
    }
  }

  private static Handler collecting(List<String> warnings) {
    return new Handler() {
      @Override
      public void publish(LogRecord record) {
        if (record.getLevel().intValue() >= Level.WARNING.intValue()) {
          warnings.add(record.getMessage());
        }
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  @Test
  void eventsThatAreRemembered_areBounded_andNoCountIsLost() throws Exception {
    for (int i = 0; i < 3; i++) {
      send(pod("a", "7"), "no");
    }
    requests.clear();
    for (int i = 0; i < 4096; i++) {
      send(pod("p" + i, "7"), "no");
    }

    assertThat(requests).hasSize(4097);
    assertThat(requests.getLast().method()).isEqualTo("PATCH");
    assertThat(sent(4096).map("series").get("count")).isEqualTo(new Node.Int(3));
  }

  @Test
  void objectWhoseNameIsTooLong_hasAnEventOfAnotherName() throws Exception {
    send(pod("a".repeat(253), "7"), "no");

    assertThat(sent(0).map("metadata").text("name")).matches("[0-9a-f-]{36}");
  }

  @Test
  void note_isCutToWhatEventsMayHave() {
    assertThat(SeriesRecorder.note("x".repeat(1024))).hasSize(1024).doesNotEndWith("...");
    assertThat(SeriesRecorder.note("x".repeat(1025))).hasSize(1024).endsWith("xx ...");
    assertThat(SeriesRecorder.note("\u00e9".repeat(513)).getBytes(StandardCharsets.UTF_8))
        .hasSize(1024);
    assertThat(SeriesRecorder.note("x" + "\u00e9".repeat(513)).getBytes(StandardCharsets.UTF_8))
        .hasSize(1023);
  }
}
