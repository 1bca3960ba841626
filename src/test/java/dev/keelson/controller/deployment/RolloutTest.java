package dev.keelson.controller.deployment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.client.informer.Informer;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiTransport;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.workload.ReplicaSetFacts;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.testing.CustomTypes;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Steps of a rollout by statuses of ReplicaSets that are late. */
final class RolloutTest {

  private static final String OLD = "'spec':{'containers':[{'name':'c','image':'old'}]}";
  private static final String NEW = "'spec':{'containers':[{'name':'c','image':'new'}]}";

  /** The sizes that were written, by the name of the ReplicaSet. */
  private final Map<String, Long> sizes = new TreeMap<>();

  /** A server that has what it is sent. */
  private final ApiClient client =
      new ApiClient(
          new ApiTransport() {
            @Override
            public synchronized Answer send(Request request) {
              MapNode sent = (MapNode) ObjectReader.untypedJson(request.body());
              String[] path = request.path().split("/", -1);
              if (request.path().contains("/replicasets/")) {
                sizes.put(path[path.length - 1], number(sent.map("spec")));
              }
              return request.path().endsWith("/status")
                  ? new Answer(200, request.body())
                  : new Answer(
                      200,
                      set(path[path.length - 1], OLD, (int) number(sent.map("spec")), 0, 9)
                          .replace('\'', '"')
                          .getBytes(UTF_8));
            }

            @Override
            public Answer send(Request request, TimeLimit limit) {
              return send(request);
            }

            @Override
            public EventStream watch(Request request) {
              throw new UnsupportedOperationException();
            }
          });

  private ReplicaSets actions;

  @BeforeEach
  void prepare() {
    InstantSource clock = InstantSource.system();
    actions =
        new ReplicaSets(
            client,
            new EventRecorder(client, DeploymentController.NAME, clock, System::nanoTime),
            clock,
            new SetWrites(client, Informer.of(client, ReplicaSetFacts.TYPE)));
  }

  private static long number(MapNode spec) {
    return spec.get("replicas") instanceof Node.Int size ? size.value() : -1;
  }

  private static String set(String name, String template, int size, int available, int observed) {
    return ("{'kind':'ReplicaSet','metadata':{'name':'%s','namespace':'default','uid':'%1$s',"
            + "'resourceVersion':'5','generation':2,'annotations':{"
            + "'deployment.kubernetes.io/desired-replicas':'4',"
            + "'deployment.kubernetes.io/max-replicas':'5',"
            + "'deployment.kubernetes.io/revision':'%s'}},"
            + "'spec':{'replicas':%d,'template':{%s}},"
            + "'status':{'replicas':%d,'availableReplicas':%5$d,'observedGeneration':%d}}")
        .formatted(name, template.equals(NEW) ? "2" : "1", size, template, available, observed);
  }

  private static ReplicaSetFacts facts(String set) {
    return ReplicaSetFacts.of(new ApiObject(CustomTypes.tree(set)));
  }

  /** A look at a Deployment of 4, of which 3 must be available. */
  private void look(String old, String current) throws InterruptedException {
    Deployment deployment =
        new Deployment(
            new ApiObject(
                CustomTypes.tree(
                    "{'kind':'Deployment','metadata':{'name':'web','namespace':'default','uid':'d',"
                        + "'annotations':{'deployment.kubernetes.io/revision':'2'}},'spec':{"
                        + "'replicas':4,'strategy':{'type':'RollingUpdate','rollingUpdate':{"
                        + "'maxSurge':1,'maxUnavailable':1}},'template':{"
                        + NEW
                        + "}}}")));
    Deployment unused =
        new Rollout(actions, deployment, List.of(facts(old), facts(current)), Instant.EPOCH)
            .step(_ -> List.of());
  }

  @Test
  void oldPods_areRemovedWhileEnoughAreAvailable() throws Exception {
    // the new one has its size, and 5 are available
    look(set("old", OLD, 3, 3, 2), set("new", NEW, 2, 2, 2));

    assertThat(sizes).containsExactlyEntriesOf(Map.of("old", 1L));
  }

  @Test
  void statusOfALargerSize_countsNoMoreThanTheSize() throws Exception {
    // one of the 4 is being removed, which the status does not tell yet
    look(set("old", OLD, 3, 4, 2), set("new", NEW, 2, 2, 2));

    assertThat(sizes).containsExactlyEntriesOf(Map.of("old", 1L));
  }

  @Test
  void statusOfAnEarlierSpec_isAwaited() throws Exception {
    // 2 of the 2 are told available, but that was before the size went down and up again
    look(set("old", OLD, 3, 3, 2), set("new", NEW, 2, 2, 1));

    assertThat(sizes).isEmpty();
  }
}
