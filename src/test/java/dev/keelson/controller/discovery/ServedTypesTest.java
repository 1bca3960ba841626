package dev.keelson.controller.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.controller.manager.SharedInformers;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.testing.ScriptedServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ServedTypesTest {

  private static final GroupVersion WIDGETS = new GroupVersion("example.com", "v1");

  private final ScriptedServer server = new ScriptedServer();
  private final ApiClient client = new ApiClient(server);
  private final SharedInformers informers = new SharedInformers(client, System::nanoTime);
  private final ServedTypes types = new ServedTypes(client, informers);
  private final List<ResourceCatalog.Change> changes = new ArrayList<>();

  @BeforeEach
  void serve() {
    server.answer(
        "GET /api",
        """
        {'items': [{'metadata': {}, 'versions': [{'version': 'v1', 'freshness': 'Current',
          'resources': [
            {'resource': 'pods', 'responseKind': {'kind': 'Pod'}, 'scope': 'Namespaced',
             'verbs': ['get', 'list', 'watch', 'delete', 'impersonate']},
            {'resource': 'bindings', 'responseKind': {'kind': 'Binding'}, 'scope': 'Namespaced',
             'verbs': ['create']}]}]}]}
        """);
    server.answer("GET /apis", groups("Current", "widgets"));
    informers.start();
    types.catalog().onChange((before, after, change) -> changes.add(change));
  }

  @AfterEach
  void stop() {
    informers.close();
    types.close();
  }

  private static String groups(String freshness, String... plurals) {
    List<String> resources = new ArrayList<>();
    for (String plural : plurals) {
      resources.add(
          """
          {'resource': '%s', 'responseKind': {'kind': 'Kind-%s'}, 'scope': 'Cluster',
           'verbs': ['list', 'watch', 'delete']}
          """
              .formatted(plural, plural));
    }
    return """
        {'items': [{'metadata': {'name': 'example.com'},
          'versions': [{'version': 'v1', 'freshness': '%s', 'resources': [%s]}]}]}
        """
        .formatted(freshness, String.join(",", resources));
  }

  @Test
  void catalog_hasWhatIsServed() throws InterruptedException {
    types.refresh();

    ResourceDefinition pods =
        types.catalog().snapshot().find(GroupVersion.CORE_V1.resource("pods")).orElseThrow();
    assertThat(pods.namespaced()).isTrue();
    assertThat(pods.storage()).isNotNull();
    assertThat(types.kind(WIDGETS.resource("widgets"))).hasValue("Kind-widgets");
    assertThat(
            types
                .catalog()
                .snapshot()
                .find(GroupVersion.CORE_V1.resource("bindings"))
                .orElseThrow()
                .storage())
        .isNull();
  }

  @Test
  void changes_areThoseOfTheServer_andNoOthers() throws InterruptedException {
    types.refresh();
    types.refresh();
    assertThat(changes).hasSize(1);

    server.answer("GET /apis", groups("Current", "widgets", "gadgets"));
    types.refresh();

    assertThat(changes).hasSize(2);
    assertThat(changes.getLast().removed()).isEmpty();
    assertThat(changes.getLast().added())
        .extracting(ResourceDefinition::kind)
        .containsExactly("Kind-gadgets");
  }

  @Test
  void versionOfAServerThatCannotBeReached_hasNotGone() throws InterruptedException {
    types.refresh();
    server.answer("GET /apis", groups("Stale"));
    types.refresh();
    assertThat(types.kind(WIDGETS.resource("widgets"))).isPresent();

    server.answer("GET /apis", "{'items': []}");
    types.refresh();

    assertThat(types.kind(WIDGETS.resource("widgets"))).isEmpty();
  }
}
