package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.TreeJson;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** ServiceCIDRs, addresses and node ports on two servers of one store. */
@Timeout(120)
abstract class ServiceNetworkContract {

  private static final GroupVersionResource SERVICES = GroupVersion.CORE_V1.resource("services");
  private static final GroupVersionResource EVENTS = GroupVersion.CORE_V1.resource("events");
  private static final GroupVersionResource CIDRS =
      new GroupVersionResource("networking.k8s.io", "v1", "servicecidrs");
  private static final GroupVersionResource ADDRESSES =
      new GroupVersionResource("networking.k8s.io", "v1", "ipaddresses");
  private static final DeleteRequest DELETE = new DeleteRequest("", "", Dependents.BACKGROUND);

  static final List<String> FLAGS =
      List.of(
          "--secure-port=0",
          "--service-cluster-ip-range=10.0.0.0/24",
          "--service-node-port-range=30000-30099");

  private final Vertx vertx = Vertx.vertx();
  private final AtomicLong skipped = new AtomicLong();

  /** The time, which tests can advance. */
  final InstantSource clock = () -> Instant.now().plusSeconds(skipped.get());

  private ComposedServer first;
  private ComposedServer second;
  private RevisionedStore store;

  /** The key of a node port as earlier versions stored it. */
  private Bytes former;

  /** Opens the store for another server. */
  abstract OpenedResources open(Path directory);

  @BeforeEach
  void start(@TempDir Path directory) {
    OpenedResources opened = open(directory.resolve("first"));
    store = opened.store();
    former = Bytes.utf8(opened.options().storage().prefix() + "/keelson.dev/node-ports/30001");
    WriteOutcome outcome =
        store.write(Write.put(former, Bytes.utf8("default/a/some"), Write.ABSENT));
    assertThat(outcome).isInstanceOf(WriteOutcome.Applied.class);
    first = ComposedServer.of(opened, vertx);
    second = ComposedServer.of(open(directory.resolve("second")), vertx);
    assertThat(first.server().ready(6443, Duration.ZERO)).contains("ready");
    assertThat(second.server().ready(6444, Duration.ZERO)).contains("ready");
  }

  @AfterEach
  void stop() throws Exception {
    int running = second.server().stop() + first.server().stop();
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
    assertThat(running).isZero();
  }

  private static ApiObject object(String json) {
    byte[] text = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return new ApiObject((MapNode) TreeJson.read(text));
  }

  private static ApiObject service(ComposedServer server, String name, String spec) {
    return server
        .client()
        .create(
            SERVICES,
            "default",
            object("{'metadata':{'name':'" + name + "'},'spec':" + spec + "}"));
  }

  private ApiObject cidr(String name, String cidrs) {
    return first
        .client()
        .create(
            CIDRS,
            "",
            object("{'metadata':{'name':'" + name + "'},'spec':{'cidrs':[" + cidrs + "]}}"));
  }

  private static String address(ApiObject service) {
    return service.root().map("spec").text("clusterIP");
  }

  private MapNode ready(String cidr) {
    return first
        .client()
        .get(CIDRS, "", cidr)
        .map(object -> object.root().map("status").maps("conditions"))
        .filter(conditions -> !conditions.isEmpty())
        .map(List::getFirst)
        .orElse(MapNode.EMPTY);
  }

  private boolean told(String reason) {
    return first.client().list(EVENTS, "default").stream()
        .anyMatch(event -> event.root().text("reason").equals(reason));
  }

  private boolean exists(GroupVersionResource resource, String name) {
    return first.client().get(resource, "", name).isPresent();
  }

  @Test
  void defaultCidr_isReady_andTheFirstAddressIsTheServers() {
    ApiObject object = first.client().get(CIDRS, "", "kubernetes").orElseThrow();
    assertThat(object.root().at("spec", "cidrs")).isEqualTo(Node.texts(List.of("10.0.0.0/24")));
    assertThat(ready("kubernetes").text("status")).isEqualTo("True");
    assertThat(ready("kubernetes").text("message"))
        .isEqualTo("Kubernetes default Service CIDR is ready");
    MapNode held = first.client().get(ADDRESSES, "", "10.0.0.1").orElseThrow().root();
    assertThat(held.map("spec").map("parentRef").text("name")).isEqualTo("kubernetes");
    assertThat(held.map("metadata").map("labels").texts())
        .containsEntry("ipaddress.kubernetes.io/ip-family", "IPv4")
        .containsEntry("ipaddress.kubernetes.io/managed-by", "ipallocator.k8s.io");
    Eventually.assertEventually(
        () ->
            assertThat(
                    first.client().get(CIDRS, "", "kubernetes").orElseThrow().meta().finalizers())
                .containsExactly("networking.k8s.io/service-cidr-finalizer"));
  }

  @Test
  void service_hasItsAddressUntilItIsDeleted() {
    ApiObject made = service(first, "a", "{'type':'NodePort','ports':[{'port':80}]}");
    assertThat(exists(ADDRESSES, address(made))).isTrue();

    second.client().delete(SERVICES, "default", "a", DELETE);

    assertThat(exists(ADDRESSES, address(made))).isFalse();
  }

  @Test
  void range_isUsedAndStaysWhileItHasAddresses() {
    assertThatThrownBy(() -> service(first, "a", "{'clusterIP':'10.7.0.7','ports':[{'port':80}]}"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("the provided network does not match the current range");
    ApiObject made = cidr("more", "'10.7.0.0/28'");
    assertThat(made.meta().name()).isEqualTo("more");
    assertThat(address(service(first, "a", "{'clusterIP':'10.7.0.7','ports':[{'port':80}]}")))
        .isEqualTo("10.7.0.7");
    Eventually.assertEventually(
        () ->
            assertThat(ready("more").text("message"))
                .isEqualTo("Kubernetes Service CIDR is ready"));

    first.client().delete(CIDRS, "", "more", DELETE);

    Eventually.assertEventually(
        () -> {
          assertThat(ready("more").text("status")).isEqualTo("False");
          assertThat(ready("more").text("reason")).isEqualTo("Terminating");
        });
    assertThatThrownBy(() -> service(first, "b", "{'clusterIP':'10.7.0.8','ports':[{'port':80}]}"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("the provided network does not match the current range");
    skipped.addAndGet(11);
    second.client().delete(SERVICES, "default", "a", DELETE);
    Eventually.assertEventually(() -> assertThat(exists(CIDRS, "more")).isFalse());
  }

  @Test
  void range_thatAnotherOneCovers_goesWithItsAddresses() {
    List<ApiObject> made = List.of(cidr("wide", "'10.8.0.0/24'"), cidr("narrow", "'10.8.0.0/28'"));
    assertThat(made).hasSize(2);
    ApiObject service = service(first, "a", "{'clusterIP':'10.8.0.7','ports':[{'port':80}]}");
    Eventually.assertEventually(() -> assertThat(ready("narrow").text("status")).isEqualTo("True"));

    first.client().delete(CIDRS, "", "narrow", DELETE);
    skipped.addAndGet(11);
    ApiObject other = cidr("other", "'10.9.0.0/28'");

    assertThat(other.meta().name()).isEqualTo("other");
    Eventually.assertEventually(() -> assertThat(exists(CIDRS, "narrow")).isFalse());
    assertThat(exists(ADDRESSES, address(service))).isTrue();
  }

  @Test
  void addressThatIsMissing_isMadeAgain() {
    ApiObject made = service(first, "a", "{'ports':[{'port':80}]}");

    second.client().delete(ADDRESSES, "", address(made), DELETE);

    Eventually.assertEventually(
        () -> {
          assertThat(exists(ADDRESSES, address(made))).isTrue();
          assertThat(told("ClusterIPNotAllocated")).isTrue();
        });
  }

  @Test
  void twoServers_neverGiveTheSameTwice() throws Exception {
    Set<String> addresses = new HashSet<>();
    Set<Node> ports = new HashSet<>();
    List<Future<ApiObject>> made = new ArrayList<>();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 100; i++) {
        ComposedServer server = i % 2 == 0 ? first : second;
        String name = "s" + i;
        made.add(
            clients.submit(
                () -> service(server, name, "{'type':'NodePort','ports':[{'port':80}]}")));
      }
      for (Future<ApiObject> one : made) {
        MapNode spec = one.get().root().map("spec");
        assertThat(addresses.add(spec.text("clusterIP"))).isTrue();
        assertThat(ports.add(spec.maps("ports").getFirst().get("nodePort"))).isTrue();
      }
    }

    assertThat(ports).hasSize(100);
    assertThatThrownBy(() -> service(second, "more", "{'type':'NodePort','ports':[{'port':80}]}"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("failed to allocate a nodePort: range is full");
    assertThat(first.client().list(ADDRESSES, "")).hasSize(101);
  }

  @Test
  void keysOfEarlierVersions_areRemoved() {
    Eventually.assertEventually(
        () ->
            assertThat(store.get(former, RevisionedStore.NEWEST).entry())
                .as("a key of a node port")
                .isNull());
    ApiObject made =
        service(first, "a", "{'type':'NodePort','ports':[{'port':80,'nodePort':30001}]}");
    assertThat(made.meta().name()).isEqualTo("a");
  }
}
