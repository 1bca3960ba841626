package dev.keelson.client.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.Remaining;
import dev.keelson.client.rest.RestResourceClient.Reading;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.ScriptedServer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RestResourceClientTest {

  private static final GroupVersionResource MAPS = GroupVersion.CORE_V1.resource("configmaps");
  private static final String MAP = "/api/v1/namespaces/n/configmaps/m";
  private static final String ALL = "/api/v1/namespaces/n/configmaps";

  private final ScriptedServer server = new ScriptedServer();

  private RestResourceClient client(Reading reading) {
    ApiClient client = new ApiClient(server);
    return new RestResourceClient(
        client, reading, resource -> client, resource -> Optional.of("ConfigMap"));
  }

  @Test
  void change_thatConflicts_isMadeAgainOnTheNextState() {
    server.answer("GET " + MAP, "{'metadata': {'name': 'm', 'namespace': 'n'}}");
    server.answer("PUT " + MAP, ScriptedServer.error(409, "Conflict"));
    AtomicInteger edits = new AtomicInteger();

    Optional<ApiObject> changed =
        client(Reading.GET)
            .change(
                MAPS,
                "n",
                "m",
                object -> {
                  if (edits.incrementAndGet() == 3) {
                    server.answer("PUT " + MAP, "{'metadata': {'name': 'm', 'uid': 'u'}}");
                  }
                  return object.with("data", MapNode.of("a", Node.text("b")));
                });

    assertThat(edits).hasValue(3);
    assertThat(changed).map(object -> object.meta().uid()).hasValue("u");
  }

  @Test
  void change_thatChangesNothing_isNotWritten_andOneOfNothingIsEmpty() {
    assertThat(client(Reading.GET).change(MAPS, "n", "m", object -> object)).isEmpty();
    server.answer("GET " + MAP, "{'metadata': {'name': 'm'}}");

    assertThat(client(Reading.GET).change(MAPS, "n", "m", object -> object)).isPresent();
    assertThat(server.requests()).doesNotContain("PUT " + MAP);
  }

  @Test
  void objects_areFoundInAList_byThoseWhoMayNotGet() {
    server.answer(
        "GET " + ALL,
        "{'kind': 'ConfigMapList', 'apiVersion': 'v1', 'items': [{'metadata': {'name': 'm'}}]}");

    assertThat(client(Reading.LIST).get(MAPS, "n", "m"))
        .map(object -> object.root().text("kind"))
        .hasValue("ConfigMap");
    assertThat(server.requests()).containsExactly("GET " + ALL);
  }

  @Test
  void newObject_isGivenItsTypeAndNamespace() {
    server.answer("POST " + ALL, "{}");

    ApiObject unused =
        client(Reading.GET)
            .create(
                MAPS,
                "n",
                new ApiObject(MapNode.of("metadata", MapNode.of("name", Node.text("m")))));

    assertThat(server.bodies())
        .containsExactly(
            "{\"metadata\":{\"name\":\"m\",\"namespace\":\"n\"},"
                + "\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\"}");
  }

  @Test
  void collection_thatCannotBeDeletedAsAWhole_isDeletedOneByOne() {
    server.answer(
        "GET " + ALL,
        "{'items': [{'metadata': {'name': 'm', 'namespace': 'n', 'uid': 'u',"
            + " 'finalizers': ['a/b']}}]}");
    server.answer("DELETE " + ALL, ScriptedServer.error(405, "MethodNotAllowed"));
    server.answer("DELETE " + MAP, "{}");

    assertThat(client(Reading.GET).deleteAll(MAPS, "n"))
        .isEqualTo(new Remaining(1, 1, Map.of("a/b", 1)));
    assertThat(server.requests()).contains("DELETE " + MAP);
  }

  @Test
  void namespace_isFinalizedWithoutTheFinalizer() {
    server.answer(
        "GET /api/v1/namespaces/n",
        "{'metadata': {'name': 'n'}, 'spec': {'finalizers': ['kubernetes', 'a/b']}}");
    server.answer("PUT /api/v1/namespaces/n/finalize", "{}");

    client(Reading.GET).finalizeNamespace("n", "kubernetes");

    assertThat(server.bodies())
        .containsExactly("{\"metadata\":{\"name\":\"n\"},\"spec\":{\"finalizers\":[\"a/b\"]}}");
  }

  @Test
  void interrupt_endsTheCall_andStays() {
    ApiTransport interrupted =
        new ApiTransport() {
          @Override
          public Answer send(Request request) throws InterruptedException {
            throw new InterruptedException();
          }

          @Override
          public Answer send(Request request, TimeLimit limit) throws InterruptedException {
            throw new InterruptedException();
          }

          @Override
          public EventStream watch(Request request) throws InterruptedException {
            throw new InterruptedException();
          }
        };
    ApiClient client = new ApiClient(interrupted);
    RestResourceClient rest =
        new RestResourceClient(client, Reading.GET, any -> client, any -> Optional.empty());

    assertThatThrownBy(() -> rest.get(MAPS, "n", "m")).isInstanceOf(ApiException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
