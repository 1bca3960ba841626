package dev.keelson.controller.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.Remaining;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.client.LocalResourceClient;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class NamespaceControllerTest {

  private static final GroupVersionResource SECRETS = GroupVersion.CORE_V1.resource("secrets");

  private final LocalApi api;
  private final Client client;
  private final NamespaceController termination;

  /** The registry's client, which tells what was asked of it and lets a test step in. */
  private static final class Client implements ResourceClient {
    private final ResourceClient client;
    private final BlockingQueue<String> finalized = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> heldBack = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
    private volatile Consumer<GroupVersionResource> beforeDelete = resource -> {};

    Client(ResourceClient client) {
      this.client = client;
    }

    @Override
    public List<ApiObject> list(GroupVersionResource resource, String namespace) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<ApiObject> get(GroupVersionResource resource, String namespace, String name) {
      return client.get(resource, namespace, name);
    }

    @Override
    public Optional<String> namespaceOf(GroupVersionResource resource, String name, String uid) {
      return client.namespaceOf(resource, name, uid);
    }

    @Override
    public ApiObject create(GroupVersionResource resource, String namespace, ApiObject object) {
      return client.create(resource, namespace, object);
    }

    @Override
    public Optional<ApiObject> change(
        GroupVersionResource resource,
        String namespace,
        String name,
        UnaryOperator<ApiObject> edit) {
      return client.change(resource, namespace, name, edit);
    }

    @Override
    public void delete(
        GroupVersionResource resource, String namespace, String name, DeleteRequest request) {
      client.delete(resource, namespace, name, request);
    }

    @Override
    public Optional<ApiObject> changeStatus(
        GroupVersionResource resource,
        String namespace,
        String name,
        UnaryOperator<ApiObject> edit) {
      Optional<ApiObject> changed = client.changeStatus(resource, namespace, name, edit);
      asked.add(name);
      return changed;
    }

    @Override
    public Remaining deleteAll(GroupVersionResource resource, String namespace) {
      beforeDelete.accept(resource);
      Remaining remaining = client.deleteAll(resource, namespace);
      if (remaining.left() > 0) {
        heldBack.add(resource.resource());
      }
      return remaining;
    }

    @Override
    public void finalizeNamespace(String name, String finalizer) {
      client.finalizeNamespace(name, finalizer);
      finalized.add(name);
    }
  }

  NamespaceControllerTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
    client = new Client(new LocalResourceClient(api.catalog(), api.registry()));
    termination = new NamespaceController(api.catalog(), client, api.clock(), () -> {});
  }

  @AfterEach
  void close() {
    termination.close();
    api.close();
  }

  @Test
  void termination_removesTheContentOfEveryTypeAndThenTheNamespace() throws Exception {
    create("v1", "configmaps", "{'metadata':{'name':'a'}}");
    create("v1", "secrets", "{'metadata':{'name':'a'}}");
    create("apps/v1", "deployments", "{'metadata':{'name':'a'}}");
    create("extensions/v1beta1", "ingresses", "{'metadata':{'name':'a'}}");
    create("v1", "events", "{'metadata':{'name':'a'}}");
    api.create("v1", "configmaps", "default", "{'metadata':{'name':'a'}}");
    markOther();

    termination.begin("other");

    assertThat(client.finalized.poll(60, TimeUnit.SECONDS)).isEqualTo("other");
    assertThat(exists("v1", "namespaces", "", "other")).isFalse();
    assertThat(exists("v1", "configmaps", "other", "a")).isFalse();
    assertThat(exists("v1", "secrets", "other", "a")).isFalse();
    assertThat(exists("apps/v1", "deployments", "other", "a")).isFalse();
    assertThat(exists("networking.k8s.io/v1", "ingresses", "other", "a")).isFalse();
    assertThat(exists("events.k8s.io/v1", "events", "other", "a")).isFalse();
    assertThat(exists("v1", "configmaps", "default", "a")).isTrue();
  }

  @Test
  void termination_waitsForContentThatFinalizersHold() throws Exception {
    create("v1", "configmaps", "{'metadata':{'name':'a','finalizers':['x.org/a']}}");
    markOther();

    termination.begin("other");
    assertThat(client.heldBack.poll(60, TimeUnit.SECONDS)).isEqualTo("configmaps");
    assertThat(exists("v1", "namespaces", "", "other")).isTrue();
    ApiObject held = api.get("v1", "configmaps", "other", "a");
    ApiObject released =
        api.replace(
            "v1", "configmaps", "other", "a", held.withMeta(held.meta().without("finalizers")));

    assertThat(released.meta().finalizers()).isEmpty();
    assertThat(client.finalized.poll(60, TimeUnit.SECONDS)).isEqualTo("other");
    assertThat(exists("v1", "namespaces", "", "other")).isFalse();
  }

  @Test
  void termination_leavesANamespaceAloneWhoseDeletionHasNotBegun() throws Exception {
    create("v1", "configmaps", "{'metadata':{'name':'a'}}");

    termination.begin("other");
    termination.join("other");

    assertThat(client.finalized).isEmpty();
    assertThat(exists("v1", "configmaps", "other", "a")).isTrue();
    assertThat(api.get("v1", "namespaces", "", "other").root().map("spec").items("finalizers"))
        .isNotEmpty();
  }

  @Test
  void termination_thatFindsTheNamespaceMadeAnew_leavesItsContentAlone() throws Exception {
    markOther();
    // another server empties and removes the namespace, and a user makes it again
    client.beforeDelete =
        resource -> {
          client.beforeDelete = later -> {};
          client.client.finalizeNamespace("other", "kubernetes");
          ApiObject again = api.create("v1", "namespaces", "", "{'metadata':{'name':'other'}}");
          assertThat(again.meta().deleting()).isFalse();
          create("v1", "secrets", "{'metadata':{'name':'precious'}}");
        };

    termination.begin("other");
    termination.join("other");

    assertThat(client.finalized).isEmpty();
    assertThat(exists("v1", "secrets", "other", "precious")).isTrue();
  }

  @Test
  void termination_ofOneTypeFailing_removesTheOthersAndTriesAgain() throws Exception {
    create("v1", "configmaps", "{'metadata':{'name':'a'}}");
    create("v1", "secrets", "{'metadata':{'name':'a'}}");
    create("apps/v1", "deployments", "{'metadata':{'name':'a'}}");
    BlockingQueue<Boolean> deploymentThere = new LinkedBlockingQueue<>();
    boolean[] failed = new boolean[1];
    client.beforeDelete =
        resource -> {
          if (resource.equals(SECRETS)) {
            deploymentThere.add(exists("apps/v1", "deployments", "other", "a"));
            if (!failed[0]) {
              failed[0] = true;
              throw new ApiException(Reason.INTERNAL_ERROR, "cannot be read");
            }
          }
        };
    markOther();

    termination.begin("other");

    assertThat(client.finalized.poll(60, TimeUnit.SECONDS)).isEqualTo("other");
    assertThat(deploymentThere).containsExactly(true, false, false);
    assertThat(exists("v1", "secrets", "other", "a")).isFalse();
  }

  @Test
  void termination_tellsWhatHoldsTheNamespace() throws Exception {
    create("v1", "configmaps", "{'metadata':{'name':'a','finalizers':['x.org/a','x.org/b']}}");
    create("v1", "configmaps", "{'metadata':{'name':'b','finalizers':['x.org/a']}}");
    create("apps/v1", "deployments", "{'metadata':{'name':'a','finalizers':['x.org/a']}}");
    markOther();

    termination.begin("other");
    awaitConditions();

    assertThat(condition("NamespaceDeletionDiscoveryFailure"))
        .isEqualTo("False ResourcesDiscovered All resources successfully discovered");
    assertThat(condition("NamespaceDeletionGroupVersionParsingFailure"))
        .isEqualTo("False ParsedGroupVersions All legacy kube types successfully parsed");
    assertThat(condition("NamespaceDeletionContentFailure"))
        .isEqualTo(
            "False ContentDeleted All content successfully deleted, may be waiting on"
                + " finalization");
    assertThat(condition("NamespaceContentRemaining"))
        .isEqualTo(
            "True SomeResourcesRemain Some resources are remaining: configmaps. has 2 resource"
                + " instances, deployments.apps has 1 resource instances");
    assertThat(condition("NamespaceFinalizersRemaining"))
        .isEqualTo(
            "True SomeFinalizersRemain Some content in the namespace has finalizers remaining:"
                + " x.org/a in 3 resource instances, x.org/b in 1 resource instances");
  }

  @Test
  void termination_beginsWithPods_andWaitsForThem() throws Exception {
    create("v1", "configmaps", "{'metadata':{'name':'a'}}");
    create(
        "v1",
        "pods",
        "{'metadata':{'name':'p'},'spec':{'nodeName':'n',"
            + "'containers':[{'name':'c','image':'i'}]}}");
    markOther();

    termination.begin("other");
    awaitConditions();
    boolean mapThere = exists("v1", "configmaps", "other", "a");
    client.delete(
        GroupVersion.CORE_V1.resource("pods"),
        "other",
        "p",
        new DeleteRequest("", "", DeleteRequest.Dependents.DEFAULT));
    api.registry()
        .delete(
            api.collection("v1", "pods", "other"),
            "p",
            DeleteQuery.UNCONDITIONAL.withGraceSeconds(0),
            WriteOptions.PERSIST);

    assertThat(mapThere).isTrue();
    assertThat(condition("NamespaceContentRemaining")).contains("pods. has 1 resource instances");
    assertThat(client.finalized.poll(60, TimeUnit.SECONDS)).isEqualTo("other");
  }

  @Test
  void termination_leavesOtherFinalizersOfTheNamespaceAlone() throws Exception {
    ApiObject namespace = api.get("v1", "namespaces", "", "other");
    ApiObject wanted =
        namespace.with(
            "spec", MapNode.of("finalizers", Node.texts(List.of("kubernetes", "x.org/mine"))));
    assertThat(
            api.registry()
                .replacePart(
                    api.collection("v1", "namespaces", ""),
                    "finalize",
                    "other",
                    wanted,
                    WriteOptions.PERSIST)
                .revision())
        .isPositive();
    markOther();

    termination.begin("other");

    assertThat(client.finalized.poll(60, TimeUnit.SECONDS)).isEqualTo("other");
    termination.join("other");
    assertThat(api.get("v1", "namespaces", "", "other").root().map("spec").items("finalizers"))
        .containsExactly(Node.text("x.org/mine"));
  }

  /** Waits until the namespace shows conditions; the test's time limit ends it otherwise. */
  private void awaitConditions() throws InterruptedException {
    while (api.get("v1", "namespaces", "", "other")
        .root()
        .map("status")
        .items("conditions")
        .isEmpty()) {
      assertThat(client.asked.poll(60, TimeUnit.SECONDS)).isNotNull();
    }
  }

  private String condition(String type) {
    for (Node item :
        api.get("v1", "namespaces", "", "other").root().map("status").items("conditions")) {
      if (item instanceof MapNode condition && condition.text("type").equals(type)) {
        return condition.text("status")
            + " "
            + condition.text("reason")
            + " "
            + condition.text("message");
      }
    }
    return "";
  }

  private void markOther() {
    mark("other");
  }

  private void mark(String namespace) {
    assertThat(
            api.registry()
                .delete(
                    api.collection("v1", "namespaces", ""),
                    namespace,
                    DeleteQuery.UNCONDITIONAL,
                    WriteOptions.PERSIST)
                .gone())
        .isFalse();
  }

  private void create(String version, String resource, String json) {
    assertThat(api.create(version, resource, "other", json).meta().uid()).isNotEmpty();
  }

  private boolean exists(String version, String resource, String namespace, String name) {
    return api.registry().find(api.collection(version, resource, namespace), name).isPresent();
  }
}
