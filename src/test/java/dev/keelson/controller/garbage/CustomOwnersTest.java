package dev.keelson.controller.garbage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.client.LocalResourceClient;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The collector of a server that learns of custom types later than the server that writes their
 * objects.
 */
@Timeout(60)
class CustomOwnersTest {

  private static final String WIDGETS = CustomTypes.widgets("'schema':{}");
  private static final GroupVersionResource MAPS = GroupVersion.CORE_V1.resource("configmaps");
  private static final GroupVersionResource WIDGET =
      new GroupVersion("example.com", "v1").resource("widgets");

  private final LocalApi api;
  private final ResourceClient client;
  private final List<ResourceDefinition> builtIn;

  /** What the collecting server serves. */
  private final ResourceCatalog known;

  private final GarbageCollector collector;

  CustomOwnersTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
    client = new LocalResourceClient(api.catalog(), api.registry());
    builtIn = List.copyOf(api.catalog().snapshot().all());
    known = new ResourceCatalog(builtIn);
    collector =
        new GarbageCollector(
            known,
            new LocalResourceClient(known, api.registry()),
            api.ownership(Duration.ZERO, known),
            api.clock());
  }

  @BeforeEach
  void serve() {
    CustomTypes.serve(api.catalog(), WIDGETS);
    collector.start();
    awaitFollowing();
  }

  @AfterEach
  void close() {
    collector.close();
    api.close();
  }

  /** The collector has read the store and follows it. */
  private void awaitFollowing() {
    ApiObject lost = create(MAPS, "lost", reference("v1", "ConfigMap", "ghost", "1-2-3"));
    await(() -> !exists(MAPS, lost.meta().name()));
  }

  @Test
  void ownerOfACustomType_takesItsDependentAlong() {
    CustomTypes.serve(known, WIDGETS);
    ApiObject owner = create(WIDGET, "owner");
    ApiObject dependent = create(MAPS, "dependent", reference(owner));

    delete(WIDGET, owner);

    await(() -> !exists(MAPS, dependent.meta().name()));
  }

  @Test
  void customDependent_goesOnceItsTypeIsKnown() {
    ApiObject owner = create(MAPS, "owner");
    ApiObject dependent = create(WIDGET, "dependent", reference(owner));
    delete(MAPS, owner);
    awaitFollowing();
    assertThat(exists(WIDGET, "dependent")).isTrue();

    CustomTypes.serve(known, WIDGETS);

    await(() -> !exists(WIDGET, dependent.meta().name()));
  }

  @Test
  void ownerOfATypeThatIsNotYetKnown_isNotTakenForAbsent() {
    ApiObject owner = create(WIDGET, "owner");
    ApiObject dependent = create(MAPS, "dependent", reference(owner));
    awaitFollowing();
    assertThat(exists(MAPS, "dependent")).isTrue();

    CustomTypes.serve(known, WIDGETS);
    awaitFollowing();
    assertThat(exists(MAPS, "dependent")).isTrue();

    delete(WIDGET, owner);
    await(() -> !exists(MAPS, dependent.meta().name()));
  }

  @Test
  void ownerDeletedWhileItsTypeWasUnknown_takesItsDependentsAlongLater() {
    CustomTypes.serve(known, WIDGETS);
    ApiObject owner = create(WIDGET, "owner");
    ApiObject dependent = create(MAPS, "dependent", reference(owner));
    known.replaceAll(builtIn);
    delete(WIDGET, owner);
    awaitFollowing();
    assertThat(exists(MAPS, "dependent")).isTrue();

    CustomTypes.serve(known, WIDGETS);

    await(() -> !exists(MAPS, dependent.meta().name()));
  }

  @Test
  void foregroundDeletion_waitsForDependentsOfCustomTypes() {
    CustomTypes.serve(known, WIDGETS);
    ApiObject owner = create(WIDGET, "owner");
    ApiObject dependent = create(WIDGET, "dependent", reference(owner));
    ApiObject held =
        api.replace(
            "example.com/v1",
            "widgets",
            "default",
            "dependent",
            dependent.withMeta(
                dependent.meta().with("finalizers", Node.texts(List.of("x.org/hold")))));

    client.delete(WIDGET, "default", "owner", new DeleteRequest("", "", Dependents.FOREGROUND));

    await(() -> client.get(WIDGET, "default", "dependent").orElseThrow().meta().deleting());
    assertThat(exists(WIDGET, "owner")).isTrue();
    ApiObject deleting = client.get(WIDGET, "default", held.meta().name()).orElseThrow();
    ApiObject unused =
        api.replace(
            "example.com/v1",
            "widgets",
            "default",
            "dependent",
            deleting.withMeta(
                deleting
                    .meta()
                    .with(
                        "finalizers",
                        Node.texts(
                            deleting.meta().finalizers().stream()
                                .filter(name -> !name.equals("x.org/hold"))
                                .toList()))));
    assertThat(unused.meta().deleting()).isTrue();
    await(() -> !exists(WIDGET, "dependent") && !exists(WIDGET, "owner"));
  }

  private ApiObject create(GroupVersionResource resource, String name, Node... owners) {
    MapNode metadata =
        MapNode.of("name", Node.text(name))
            .with("ownerReferences", new Node.Items(List.of(owners)));
    return client.create(
        resource,
        "default",
        new ApiObject(MapNode.of("metadata", metadata))
            .withType(
                resource.group().isEmpty() ? "v1" : resource.group() + "/" + resource.version(),
                resource.equals(MAPS) ? "ConfigMap" : "Widget"));
  }

  private void delete(GroupVersionResource resource, ApiObject object) {
    client.delete(
        resource,
        "default",
        object.meta().name(),
        new DeleteRequest(object.meta().uid(), "", Dependents.BACKGROUND));
  }

  private boolean exists(GroupVersionResource resource, String name) {
    return client.get(resource, "default", name).isPresent();
  }

  private static Node reference(ApiObject owner) {
    return reference(owner.apiVersion(), owner.kind(), owner.meta().name(), owner.meta().uid());
  }

  private static Node reference(String version, String kind, String name, String uid) {
    return MapNode.builder(5)
        .put("apiVersion", Node.text(version))
        .put("kind", Node.text(kind))
        .put("name", Node.text(name))
        .put("uid", Node.text(uid))
        .put("blockOwnerDeletion", Node.Bool.TRUE)
        .build();
  }

  private static void await(BooleanSupplier condition) {
    Eventually.assertEventually(() -> assertThat(condition.getAsBoolean()).isTrue());
  }
}
