package dev.keelson.controller.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.client.LocalResourceClient;
import dev.keelson.registry.service.AddressBlock;
import dev.keelson.registry.service.ServiceRanges;
import dev.keelson.testing.LocalApi;
import dev.keelson.value.Cidr;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class SystemObjectsTest {

  private static final SystemObjects.Place PLACE =
      new SystemObjects.Place("10.0.0.1", "192.0.2.7", 6443);

  private final LocalApi api;
  private final SystemObjects system;

  SystemObjectsTest(@TempDir Path directory) {
    api = LocalApi.openStrict(directory);
    system = new SystemObjects(new LocalResourceClient(api.catalog(), api.registry()));
  }

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void ensure_makesNamespacesAndTheServiceOfTheServer() {
    system.ensure(PLACE);

    for (String name : new String[] {"default", "kube-system", "kube-public", "kube-node-lease"}) {
      MapNode namespace = api.get("v1", "namespaces", "", name).root();
      assertThat(namespace.map("status").text("phase")).isEqualTo("Active");
    }
    MapNode service = api.get("v1", "services", "default", "kubernetes").root().map("spec");
    assertThat(service.text("clusterIP")).isEqualTo("10.0.0.1");
    MapNode port = (MapNode) service.items("ports").getFirst();
    assertThat(port.get("port")).isEqualTo(new Node.Int(443));
    assertThat(port.get("targetPort")).isEqualTo(new Node.Int(6443));
    assertThat(LocalApi.json(api.get("v1", "endpoints", "default", "kubernetes").root()))
        .contains("'addresses':[{'ip':'192.0.2.7'}]");
    assertThat(
            LocalApi.json(
                api.get("discovery.k8s.io/v1", "endpointslices", "default", "kubernetes").root()))
        .contains("'addressType':'IPv4'", "'kubernetes.io/service-name':'kubernetes'");
  }

  @Test
  void ensure_leavesWhatIsThere() {
    system.ensure(PLACE);
    ApiObject before = api.get("v1", "services", "default", "kubernetes");

    system.ensure(new SystemObjects.Place("10.0.0.1", "192.0.2.8", 6444));

    assertThat(api.get("v1", "services", "default", "kubernetes")).isEqualTo(before);
  }

  @Test
  void moveTo_saysWhereTheServerIsNow_andChangesNothingTwice() {
    system.ensure(PLACE);
    SystemObjects.Place next = new SystemObjects.Place("10.0.0.1", "192.0.2.8", 6444);

    system.moveTo(next);
    ApiObject slice = api.get("discovery.k8s.io/v1", "endpointslices", "default", "kubernetes");
    system.moveTo(next);

    assertThat(LocalApi.json(api.get("v1", "services", "default", "kubernetes").root()))
        .contains("'port':443,'targetPort':6444");
    assertThat(LocalApi.json(api.get("v1", "endpoints", "default", "kubernetes").root()))
        .contains("'192.0.2.8'", "'port':6444")
        .doesNotContain("192.0.2.7");
    assertThat(LocalApi.json(slice.root()))
        .contains("'addresses':['192.0.2.8']", "'port':6444")
        .doesNotContain("192.0.2.7");
    assertThat(api.get("discovery.k8s.io/v1", "endpointslices", "default", "kubernetes"))
        .isEqualTo(slice);
  }

  /** Source: {@code TestLeaseEndpointReconciler}, existing endpoints without skip mirror label. */
  @Test
  void labels_areBroughtBack() {
    system.ensure(PLACE);
    change(
        "v1", "endpoints", object -> object.withMeta(object.meta().with("labels", MapNode.EMPTY)));
    change(
        "discovery.k8s.io/v1",
        "endpointslices",
        object ->
            object.withMeta(object.meta().with("labels", MapNode.of("mine", Node.text("1")))));

    system.serveAt(PLACE, List.of(PLACE.address(), "192.0.2.8"));

    assertThat(api.get("v1", "endpoints", "default", "kubernetes").meta().labels())
        .containsEntry("endpointslice.kubernetes.io/skip-mirror", "true");
    assertThat(
            api.get("discovery.k8s.io/v1", "endpointslices", "default", "kubernetes")
                .meta()
                .labels())
        .containsEntry("kubernetes.io/service-name", "kubernetes")
        .containsEntry("mine", "1");
  }

  /** Source: {@code EnsureEndpointSliceFromEndpoints} of the reconcilers. */
  @Test
  void slice_ofAnotherFamily_isMadeAnew() {
    system.ensure(PLACE);
    SystemObjects.Place six = new SystemObjects.Place("10.0.0.1", "2001:db8::7", 6443);

    system.moveTo(six);

    MapNode slice =
        api.get("discovery.k8s.io/v1", "endpointslices", "default", "kubernetes").root();
    assertThat(slice.text("addressType")).isEqualTo("IPv6");
    assertThat(LocalApi.json(slice)).contains("'addresses':['2001:db8::7']");
  }

  /** Source: {@code TestCreateOrUpdateMasterService}. */
  @Test
  void mendService_correctsTypeAndPorts_butNotTheTargetOfAnotherServer() {
    system.ensure(PLACE);
    ApiObject before = api.get("v1", "services", "default", "kubernetes");
    system.mendService(PLACE);
    assertThat(api.get("v1", "services", "default", "kubernetes")).isEqualTo(before);
    change(
        "v1",
        "services",
        service -> {
          MapNode spec = service.root().map("spec");
          MapNode other =
              MapNode.of("name", Node.text("more"))
                  .with("protocol", Node.text("TCP"))
                  .with("port", new Node.Int(80));
          return service.with(
              "spec",
              spec.with("type", Node.text("NodePort"))
                  .with("ports", new Node.Items(List.of(spec.items("ports").getFirst(), other))));
        });

    system.mendService(new SystemObjects.Place("10.0.0.1", "192.0.2.8", 7443));

    MapNode spec = api.get("v1", "services", "default", "kubernetes").root().map("spec");
    assertThat(spec.text("type")).isEqualTo("ClusterIP");
    assertThat(spec.items("ports"))
        .containsExactlyElementsOf(before.root().map("spec").items("ports"));
  }

  private void change(String version, String resource, UnaryOperator<ApiObject> edit) {
    Optional<ApiObject> changed =
        new LocalResourceClient(api.catalog(), api.registry())
            .change(GroupVersion.parse(version).resource(resource), "default", "kubernetes", edit);
    assertThat(changed).isPresent();
  }

  @Test
  void ensure_onTheLoopbackAddress_makesValidObjects() {
    system.ensure(new SystemObjects.Place("10.0.0.1", "127.0.0.1", 6443));

    assertThat(LocalApi.json(api.get("v1", "endpoints", "default", "kubernetes").root()))
        .contains("'addresses':[{'ip':'127.0.0.1'}]");
  }

  @Test
  void ensure_onIpv6_saysSo(@TempDir Path directory) {
    ServiceRanges ranges =
        new ServiceRanges(List.of(new AddressBlock(Cidr.parse("fd00::/108"))), 30000, 32767);
    try (LocalApi six = LocalApi.open(directory, ranges)) {
      new SystemObjects(new LocalResourceClient(six.catalog(), six.registry()))
          .ensure(new SystemObjects.Place("fd00::1", "2001:db8::7", 6443));

      MapNode service = six.get("v1", "services", "default", "kubernetes").root().map("spec");
      assertThat(service.items("ipFamilies")).containsExactly(Node.text("IPv6"));
      assertThat(
              six.get("discovery.k8s.io/v1", "endpointslices", "default", "kubernetes")
                  .root()
                  .text("addressType"))
          .isEqualTo("IPv6");
    }
  }
}
