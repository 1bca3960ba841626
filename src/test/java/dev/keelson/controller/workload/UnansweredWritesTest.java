package dev.keelson.controller.workload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiTransport;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Pods that were created or deleted without an answer, and an informer that is late. */
final class UnansweredWritesTest {

  private static final ObjectName SET = new ObjectName("default", "web");

  /** The stored pods, and the events that the informer gets; JSON with single quotes. */
  private String stored = "";

  private final Queue<String> events = new ArrayDeque<>();
  private int lists;

  private final ApiClient client =
      new ApiClient(
          new ApiTransport() {
            @Override
            public Answer send(Request request) {
              lists++;
              return new Answer(200, bytes("{'kind':'PodList','items':[" + stored + "]}"));
            }

            @Override
            public Answer send(Request request, TimeLimit limit) {
              return send(request);
            }

            @Override
            public EventStream watch(Request request) {
              return new EventStream() {
                @Override
                public byte @Nullable [] next() {
                  String event = events.poll();
                  return event == null ? null : bytes(event);
                }

                @Override
                public void close() {
                  // nothing is held
                }
              };
            }
          });

  private final Informer<PodFacts> pods = Informer.of(client, PodFacts.TYPE);
  private final UnansweredWrites writes = new UnansweredWrites(client, pods);

  private static byte[] bytes(String json) {
    return json.replace('\'', '"').getBytes(UTF_8);
  }

  private static String pod(String uid, String more) {
    return ("{'kind':'Pod','metadata':{'name':'%1$s','namespace':'default','uid':'%1$s',"
            + "'resourceVersion':'2',%2$s'ownerReferences':[{'apiVersion':'apps/v1',"
            + "'kind':'ReplicaSet','name':'web','uid':'s','controller':true}]}}")
        .formatted(uid, more);
  }

  /** The informer gets an event. */
  private void tell(String type, String pod) throws Exception {
    if (!pods.hasSynced()) {
      events.add(
          "{'type':'BOOKMARK','object':{'metadata':{'resourceVersion':'1','annotations':{"
              + "'k8s.io/initial-events-end':'true'}}}}");
    }
    events.add("{'type':'%s','object':%s}".formatted(type, pod));
    pods.follow();
  }

  private void fail(Reason reason) {
    writes.note(SET, List.of(new ApiException(reason, "no")));
  }

  @Test
  void writesWithAnAnswer_askNothing() throws Exception {
    fail(Reason.FORBIDDEN);
    fail(Reason.INVALID);

    assertThat(writes.open(SET)).isFalse();
    assertThat(writes.told(SET, "s")).isTrue();
    assertThat(lists).isZero();
  }

  @Test
  void podThatWasCreatedWithoutAnAnswer_isAwaited() throws Exception {
    stored = pod("a", "");
    fail(Reason.SERVICE_UNAVAILABLE);

    assertThat(writes.told(SET, "s")).isFalse();
    assertThat(writes.open(SET)).isTrue();
    tell("ADDED", pod("a", ""));
    assertThat(writes.told(SET, "s")).isTrue();
    assertThat(writes.open(SET)).isFalse();
  }

  @Test
  void podThatWasDeletedWithoutAnAnswer_isAwaited() throws Exception {
    String deleting = pod("a", "'deletionTimestamp':'2026-01-01T00:00:00Z',");
    tell("ADDED", pod("a", ""));
    stored = deleting;
    fail(Reason.TIMEOUT);

    assertThat(writes.told(SET, "s")).isFalse();
    tell("MODIFIED", deleting);
    assertThat(writes.told(SET, "s")).isTrue();
  }

  @Test
  void podsOfOthers_areNotAwaited() throws Exception {
    stored = pod("a", "").replace("'uid':'s'", "'uid':'other'");
    fail(Reason.SERVICE_UNAVAILABLE);

    assertThat(writes.told(SET, "s")).isTrue();
  }
}
