package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.Eventually;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a change of one definition touches while there are others. */
@Timeout(120)
class DefinitionGrowthTest {

  private static final GroupVersionResource DEFINITIONS =
      new GroupVersion("apiextensions.k8s.io", "v1").resource("customresourcedefinitions");
  private static final GroupVersionResource API_SERVICES =
      new GroupVersion("apiregistration.k8s.io", "v1").resource("apiservices");
  private static final int OTHERS = 40;

  private final Vertx vertx = Vertx.vertx();
  private ComposedServer server;

  @BeforeEach
  void start(@TempDir Path directory) {
    server =
        ComposedServer.of(
            OpenedResources.open(
                CustomTypesContract.options(List.of("--data-dir=" + directory, "--secure-port=0")),
                InstantSource.system()),
            vertx);
    assertThat(server.server().ready(6443, Duration.ZERO)).contains("ready");
  }

  @AfterEach
  void stop() throws Exception {
    int running = server.server().stop();
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
    assertThat(running).isZero();
  }

  private ApiObject create(int number) {
    MapNode tree =
        CustomTypes.tree(
            CustomTypes.definition(
                group(number),
                "things" + number,
                "Thing" + number,
                "Namespaced",
                "'schema':{'openAPIV3Schema':{'type':'object',"
                    + "'x-kubernetes-preserve-unknown-fields':true}}"));
    return server
        .client()
        .create(
            DEFINITIONS,
            "",
            new ApiObject(tree.with("metadata", tree.map("metadata").without("uid")))
                .withType("apiextensions.k8s.io/v1", "CustomResourceDefinition"));
  }

  /** Half of them have one group. */
  private static String group(int number) {
    return number % 2 == 0 ? "example.com" : "g" + number + ".example.com";
  }

  private static GroupVersionResource resource(int number) {
    return new GroupVersion(group(number), "v1").resource("things" + number);
  }

  private void awaitServed(int number) {
    Eventually.assertEventually(
        () -> {
          assertThat(server.catalog().current().find(resource(number))).isPresent();
          assertThat(server.client().get(API_SERVICES, "", "v1." + group(number))).isPresent();
        });
  }

  private void createThing(int number) {
    ApiObject thing =
        new ApiObject(MapNode.of("metadata", CustomTypes.tree("{'name':'one'}")))
            .withType(group(number) + "/v1", "Thing" + number);
    ApiObject unused = server.client().create(resource(number), "default", thing);
  }

  @Test
  void changeOfOneDefinition_goesThroughNoOther() {
    for (int i = 0; i < OTHERS; i++) {
      ApiObject unused = create(i);
    }
    for (int i = 0; i < OTHERS; i++) {
      awaitServed(i);
    }
    List<ResourceCatalog.Change> changes = new CopyOnWriteArrayList<>();
    server.catalog().onChange((before, after, change) -> changes.add(change));
    long passes = server.catalog().passes();

    ApiObject inTheirGroup = create(OTHERS);
    ApiObject inItsOwn = create(OTHERS + 1);
    for (int number : List.of(OTHERS, OTHERS + 1)) {
      awaitServed(number);
      createThing(number);
    }
    for (ApiObject definition : List.of(inTheirGroup, inItsOwn)) {
      server
          .client()
          .delete(
              DEFINITIONS,
              "",
              definition.meta().name(),
              new DeleteRequest(definition.meta().uid(), "", Dependents.DEFAULT));
    }
    Eventually.assertEventually(
        () -> {
          assertThat(server.client().get(DEFINITIONS, "", inTheirGroup.meta().name())).isEmpty();
          assertThat(server.client().get(API_SERVICES, "", "v1." + group(OTHERS + 1))).isEmpty();
        });

    assertThat(server.catalog().passes()).isEqualTo(passes);
    assertThat(changes)
        .isNotEmpty()
        .allSatisfy(
            change -> {
              assertThat(change.removed()).hasSizeLessThanOrEqualTo(2);
              assertThat(change.added()).hasSizeLessThanOrEqualTo(2);
            });
  }
}
