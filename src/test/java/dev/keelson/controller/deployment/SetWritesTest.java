package dev.keelson.controller.deployment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiTransport;
import dev.keelson.controller.workload.ReplicaSetFacts;
import dev.keelson.object.ApiObject;
import dev.keelson.testing.CustomTypes;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The writes of a controller whose informer is late. */
final class SetWritesTest {

  private static final ObjectName NAME = new ObjectName("default", "web-1");

  /** The resourceVersion of the stored ReplicaSet; 0 if there is none. */
  private int stored;

  private final Queue<String> events = new ArrayDeque<>();

  private final ApiTransport server =
      new ApiTransport() {
        @Override
        public Answer send(Request request) {
          return stored == 0
              ? new Answer(
                  404, "{'kind':'Status','reason':'NotFound'}".replace('\'', '"').getBytes(UTF_8))
              : new Answer(200, set(stored).replace('\'', '"').getBytes(UTF_8));
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
              return event == null ? null : event.replace('\'', '"').getBytes(UTF_8);
            }

            @Override
            public void close() {
              // nothing is held
            }
          };
        }
      };

  private final ApiClient client = new ApiClient(server);
  private final Informer<ReplicaSetFacts> sets = Informer.of(client, ReplicaSetFacts.TYPE);
  private final SetWrites writes = new SetWrites(client, sets);

  private static String set(int version) {
    return ("{'kind':'ReplicaSet','metadata':{'name':'web-1','namespace':'default','uid':'s',"
            + "'resourceVersion':'%d'},'spec':{'replicas':1,'template':{}}}")
        .formatted(version);
  }

  /** The informer gets an event. */
  private void tell(String type, int version) throws Exception {
    if (!sets.hasSynced()) {
      events.add(
          "{'type':'BOOKMARK','object':{'metadata':{'resourceVersion':'1','annotations':{"
              + "'k8s.io/initial-events-end':'true'}}}}");
    }
    events.add("{'type':'%s','object':%s}".formatted(type, set(version)));
    sets.follow();
  }

  private void written(int version) {
    stored = version;
    writes.written("d", ReplicaSetFacts.of(new ApiObject(CustomTypes.tree(set(version)))));
  }

  @Test
  void newSet_isAwaited() throws Exception {
    written(7);

    assertThat(writes.told("d")).isFalse();
    assertThat(writes.told("another")).isTrue();
    tell("ADDED", 7);
    assertThat(writes.told("d")).isTrue();
  }

  @Test
  void changedSet_isAwaitedInItsNewestState() throws Exception {
    tell("ADDED", 7);
    written(9);

    assertThat(writes.told("d")).isFalse();
    tell("MODIFIED", 8);
    assertThat(writes.told("d")).isFalse();
    tell("MODIFIED", 12);
    assertThat(writes.told("d")).isTrue();
  }

  @Test
  void setThatWasDeletedSince_isNotAwaited() throws Exception {
    tell("ADDED", 7);
    written(9);
    stored = 0;
    tell("DELETED", 10);

    assertThat(writes.told("d")).isTrue();
  }

  @Test
  void writeWithoutAnswer_isReadBack() throws Exception {
    tell("ADDED", 7);
    stored = 8;
    writes.unanswered("d", NAME);

    assertThat(writes.told("d")).isFalse();
    tell("MODIFIED", 8);
    assertThat(writes.told("d")).isTrue();
  }

  @Test
  void writeThatWasNotDone_delaysNothing() throws Exception {
    tell("ADDED", 7);
    stored = 7;
    writes.unanswered("d", NAME);

    assertThat(writes.told("d")).isTrue();
  }
}
